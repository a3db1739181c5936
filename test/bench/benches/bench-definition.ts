import type { Row } from "../report.ts";
import type { Stage } from "../stage.ts";

export interface Bench {
  readonly name: string;
  readonly about: string;
  /** Takes long by nature, so it only runs if it is named. */
  readonly onlyByName?: boolean;
  readonly run: (stage: Stage) => Promise<readonly Row[]>;
}
