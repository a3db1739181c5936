import { appendAudit } from "#audit/audit.service.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { LinkService } from "#links/links.service.ts";
import { clickLines } from "./click-lines.ts";
import { createLinks } from "./create-links.ts";
import { type Filled, fillJournal } from "./fill-journal.ts";
import { byPopularity, sampleLinks } from "./sample-links.ts";

interface Deps {
  readonly records: Records;
  readonly linksAt: (clock: Clock) => LinkService;
  readonly clock: Clock;
  readonly journal: string;
  readonly journalBytesMax: number;
}

export interface GenerateOptions {
  readonly caller: Caller;
  readonly links: number;
  readonly clicks: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly seed: number;
  readonly signal: AbortSignal;
  readonly progress: (text: string) => void;
}

/** Creates sample links and clicks on them. From the journal on, the clicks are handled like real ones. */
export async function generateClicks(deps: Deps, options: GenerateOptions): Promise<Filled> {
  const { records, linksAt, clock, journal, journalBytesMax } = deps;
  const { caller, links, clicks, fromMs, toMs, seed, signal, progress } = options;
  await records.write((tx) =>
    appendAudit(tx, {
      at: clock(),
      accountNo: caller.accountNo,
      actor: caller.actor,
      action: "clicks.generated",
      subject: caller.accountId,
      details: { links, clicks },
    }),
  );
  const targets = await createLinks(sampleLinks(links, { fromMs, toMs }, seed), {
    records,
    linksAt,
    caller,
    signal,
    onProgress: (created) => progress(`${count(created)} of ${count(links)} links`),
  });
  const lines = clickLines({ targets: byPopularity(targets, fromMs, seed), clicks, fromMs, toMs, seed });
  return fillJournal(lines, {
    directory: journal,
    journalBytesMax,
    signal,
    onProgress: (written) => progress(`${count(written)} of ${count(clicks)} clicks`),
  });
}

const count = (value: number): string => value.toLocaleString("en");
