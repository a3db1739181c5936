import type { Row } from "../report.ts";
import type { Stage } from "../stage.ts";

export interface Bench {
  readonly name: string;
  readonly about: string;
  readonly run: (stage: Stage) => Promise<readonly Row[]>;
}
