import { eachByItself } from "#engines/records/savepoint.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError } from "#kernel/api-error.ts";
import { queueOf } from "#links/account-queue.ts";
import { addProblems } from "./add-problems.ts";
import { problemsOf } from "./import-problems.ts";
import type { ImportedLink } from "./import-source.ts";
import { domainFinder, type ImportDeps, ImportFailed, type ImportWork, Pace, saveImport } from "./import-work.ts";
import { findImported, type ImportRow, insertImported } from "./imports.store.ts";
import { addOutcome, type Outcome, type Place, placeLink, refusalOf, stateOf } from "./place-link.ts";
import { readSpool, type SpooledLines } from "./spool.ts";

const SLICE = { linesMax: 50, bytesMax: 1 << 20 };

/**
 * Creates what is left of the links, some at a time, each by the use case of a single call. How far it came is saved with
 * them, so after a kill it goes on there, and nothing is created twice.
 */
export async function runLinks(deps: ImportDeps, work: ImportWork): Promise<ImportRow> {
  const { spool, signal } = work;
  let { row } = work;
  const pace = new Pace();
  for await (const slice of readSpool<ImportedLink>(spool.links, row.progress.links.offset, SLICE)) {
    row = await createSlice(deps, { ...work, row }, slice);
    await pace.rest(signal);
  }
  return row;
}

function createSlice(
  deps: ImportDeps,
  work: ImportWork,
  { values, end }: SpooledLines<ImportedLink>,
): Promise<ImportRow> {
  const { row, caller, spool } = work;
  const { progress, options } = row;
  return deps.records.write(async (tx) => {
    const outcomes = await createEach(tx, deps, work, values);
    const problems = values.flatMap((link, index) => problemsOf(link, outcomes[index] as Outcome, options));
    const stopping = outcomes.find(({ kind }) => kind === "conflict");
    if (stopping && options.onConflict === "fail") {
      throw new ImportFailed(`It stopped at the first conflict: ${"message" in stopping ? stopping.message : ""}`);
    }
    const links = outcomes.reduce(addOutcome, {
      ...progress.links,
      offset: end,
      done: progress.links.done + values.length,
    });
    return saveImport(tx, deps, row, { progress: { ...progress, links, ...addProblems(spool, progress, problems) } });
  }, queueOf(caller));
}

async function createEach(
  tx: Sql,
  deps: ImportDeps,
  work: ImportWork,
  values: readonly ImportedLink[],
): Promise<Outcome[]> {
  const { links, clock } = deps;
  const { row, caller } = work;
  const now = clock();
  const ids = values.map(({ sourceId }) => sourceId);
  const known = await findImported(tx, { accountNo: row.account_no, source: row.source, ids });
  const place: Place = {
    hasImported: (id) => known.has(id),
    domainOf: domainFinder(deps, work, tx).domainOf,
    async create(link, body) {
      const arrive = await links.prepareArrival(caller, body, {
        state: stateOf(link),
        createdAt: link.createdAt,
        usedClicks: link.usedClicks,
        past: link.past ?? null,
        sendsEvents: row.options.sendsEvents,
        onCreated: (inner, created) => insertImported(inner, row, link.sourceId, created.no),
      });
      await arrive(tx, now);
    },
  };
  return eachByItself(
    tx,
    values.map((link) => async () => {
      const outcome = await placeLink(place, link, row.options);
      if (outcome.kind === "created") known.add(link.sourceId);
      return outcome;
    }),
    (error) => {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return refusalOf(error);
    },
  );
}
