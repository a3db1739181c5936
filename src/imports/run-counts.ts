import { cleanText } from "#clicks/clean-text.ts";
import { type CountedCut, toClickCounts } from "#clicks/imported/counted-moment.ts";
import { BadCounts, type ClickCount, type CountBatch, type DayVisitors } from "#engines/clicks/click-counts.ts";
import { SLOT_MS } from "#engines/clicks/slots.ts";
import { addProblems } from "./add-problems.ts";
import { LeftCounts } from "./import-problems.ts";
import type { ImportedCounts, ImportItem } from "./import-source.ts";
import { type ImportDeps, type ImportWork, Pace, saveImport } from "./import-work.ts";
import { type CountedLink, findCreated, type ImportRow } from "./imports.store.ts";
import { readSpool, type SpooledLines } from "./spool.ts";

/** Both bound the memory of a batch. What is in a batch follows from where it begins: it may be stored twice. */
const BATCH = { linesMax: 1000, bytesMax: 1 << 18 };
const IDS_AT_ONCE = 500;
const CLICKS_MAX = 2 ** 32 - 1;
const AHEAD_MS_MAX = 86_400_000;

type SpooledCounts = Extract<ImportItem, { readonly type: "counts" | "exported" | "visitors" }>;

/** Adds the clicks that the source has counted, of links that this import has created. */
export async function runCounts(deps: ImportDeps, work: ImportWork): Promise<ImportRow> {
  const { spool, signal } = work;
  let { row } = work;
  const pace = new Pace();
  for await (const batch of readSpool<SpooledCounts>(spool.counts, row.progress.counts.offset, BATCH)) {
    row = await storeBatch(deps, { ...work, row }, batch);
    await pace.rest(signal);
  }
  return row;
}

async function storeBatch(
  deps: ImportDeps,
  { row, spool }: ImportWork,
  { values, end }: SpooledLines<SpooledCounts>,
): Promise<ImportRow> {
  const { records, counts: engine, clock } = deps;
  const { progress } = row;
  const linkOf = await findLinks(deps, row, values);
  const counts: ClickCount[] = [];
  const visitors: DayVisitors[] = [];
  const left = new LeftCounts();
  let skipped = 0;
  for (const value of values) {
    if (value.type === "visitors") {
      const { sourceId, ...day } = value.visitors;
      const linkNo = sourceId === null ? 0 : linkOf.get(sourceId)?.link_no;
      if (linkNo !== undefined) visitors.push({ ...day, linkNo });
      continue;
    }
    const link = linkOf.get(value.counts.sourceId);
    const found = toCounts(value, link, clock());
    if (found.length === 0) {
      skipped += 1;
      left.add(nameOf(value), link !== undefined, clicksOf(value));
    }
    for (const count of found) counts.push(count);
  }
  const no = progress.counts.batch + 1;
  const batch: CountBatch = { accountNo: row.account_no, importId: row.id, no, counts, visitors };
  await engine.store(batch);
  const clicks = counts.reduce((sum, count) => sum + (count.cut.earlier === 0 ? count.clicks : 0), 0);
  const { done, clicks: before, skipped: skippedBefore } = progress.counts;
  return records.write((tx) =>
    saveImport(tx, deps, row, {
      progress: {
        ...progress,
        ...addProblems(spool, progress, left.problems()),
        counts: {
          ...{ offset: end, batch: no, done: done + values.length },
          ...{ clicks: before + clicks, skipped: skippedBefore + skipped },
        },
      },
    }),
  );
}

async function findLinks(
  { records }: ImportDeps,
  row: ImportRow,
  values: readonly SpooledCounts[],
): Promise<ReadonlyMap<string, CountedLink>> {
  const ids = [...new Set(values.flatMap((value) => sourceIdOf(value) ?? []))];
  const found = new Map<string, CountedLink>();
  for (let from = 0; from < ids.length; from += IDS_AT_ONCE) {
    for (const link of await findCreated(records.read, row, ids.slice(from, from + IDS_AT_ONCE))) {
      found.set(link.source_id, link);
    }
  }
  return found;
}

const sourceIdOf = (value: SpooledCounts): string | null =>
  value.type === "visitors" ? value.visitors.sourceId : value.counts.sourceId;

const nameOf = ({ counts }: Exclude<SpooledCounts, { readonly type: "visitors" }>): string =>
  ("where" in counts && counts.where) || counts.sourceId;

/** Nothing of what no link has, or no engine could store. */
function toCounts(
  value: Exclude<SpooledCounts, { readonly type: "visitors" }>,
  link: CountedLink | undefined,
  now: number,
): ClickCount[] {
  const { sourceId: _, where: __, ...counted } = { where: "", ...value.counts };
  const atMs = "atMs" in counted ? counted.atMs : counted.at_ms;
  const isMoment = Number.isSafeInteger(atMs) && atMs >= 0 && atMs <= now + AHEAD_MS_MAX;
  if (!link || !isMoment || !isClicks(counted.clicks)) return [];
  const { link_no: linkNo, domain } = link;
  if (!("atMs" in counted)) return [{ ...counted, domain, link_no: linkNo }];
  const moment = { ...counted, linkNo, domain, atMs: atMs - (atMs % SLOT_MS), cuts: cleanCuts(counted) };
  try {
    return toClickCounts(moment);
  } catch (error) {
    if (error instanceof BadCounts) return [];
    throw error;
  }
}

/** The same clicks may be in several cuts, which are one count each. */
const clicksOf = ({ counts }: Exclude<SpooledCounts, { readonly type: "visitors" }>): number =>
  isClicks(counts.clicks) && ("cuts" in counts || counts.cut.earlier === 0) ? counts.clicks : 0;

const isClicks = (clicks: number): boolean => Number.isInteger(clicks) && clicks > 0 && clicks <= CLICKS_MAX;

const cleanCuts = ({ cuts }: Pick<ImportedCounts, "cuts">): CountedCut[] =>
  cuts.map(({ dimensions, counts }) => ({
    dimensions,
    counts: counts
      .filter(({ clicks }) => isClicks(clicks))
      .map(({ values, clicks }) => ({
        values: Object.fromEntries(Object.entries(values).map(([name, text]) => [name, cleanText(text ?? "")])),
        clicks,
      })),
  }));
