import { afterEach, beforeEach, describe } from "bun:test";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { batchesConformance } from "./clicks.batches.suite.ts";
import { countsConformance } from "./clicks.counts.suite.ts";
import { type ClicksOpening, clicksLab } from "./clicks.lab.ts";
import { reportsConformance } from "./clicks.reports.suite.ts";
import { tagsConformance } from "./clicks.tags.suite.ts";

interface Traits {
  /** Whether the clicks are in a file that can be copied. */
  readonly hasFile: boolean;
  /** Whether summarising changes how reports are computed. */
  readonly hasSummaries: boolean;
  /** For an engine that is too slow for the usual number of random cases. */
  readonly casesMax?: number;
}

/** What every clicks engine guarantees. */
export function clicksConformance(
  name: string,
  open: (opening: ClicksOpening) => ClicksEngine,
  traits: Traits = { hasFile: true, hasSummaries: true },
): void {
  describe(`clicks on ${name}`, () => {
    const lab = clicksLab(open);
    beforeEach(lab.start);
    afterEach(lab.stop);

    reportsConformance(lab, traits);
    batchesConformance(lab, traits);
    tagsConformance(lab);
    countsConformance(lab, traits);
  });
}
