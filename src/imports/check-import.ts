import type { ImportForecast } from "#contract/console/imports.ts";
import { ApiError } from "#kernel/api-error.ts";
import { noOutcomes } from "./import-options.ts";
import { problemsOf } from "./import-problems.ts";
import type { ImportedLink } from "./import-source.ts";
import { domainFinder, type ImportDeps, type ImportWork, Pace } from "./import-work.ts";
import { findImported, findWorkingAccount } from "./imports.store.ts";
import { NumberSet } from "./number-set.ts";
import { addOutcome, lossesOf, type Outcome, type Place, placeLink, refusalOf, stateOf } from "./place-link.ts";
import { listProblems, noProblems, unlistedProblems } from "./problem-list.ts";
import { LineWriter, readSpool } from "./spool.ts";

const SLICE = { linesMax: 50, bytesMax: 1 << 20 };
const LOSSES_MAX = 100;
const HOSTS_MAX = 200;

/** Foretells what a run would do, and changes nothing. What it can't keep in mind is in the file with problems. */
export async function checkImport(
  deps: ImportDeps,
  work: ImportWork,
  onProgress: (checked: number) => Promise<void>,
): Promise<ImportForecast> {
  const { records, links } = deps;
  const { row, caller, spool, signal } = work;
  const seen = { keys: new NumberSet(), externalIds: new NumberSet(), sourceIds: new NumberSet() };
  const losses = new Tally(LOSSES_MAX);
  const hosts = new Tally(HOSTS_MAX);
  const limit = caller.plan.active_links;
  const account = await findWorkingAccount(records.read, row.account_no);
  let room = limit === null ? Number.MAX_SAFE_INTEGER : limit - (account?.active_links ?? 0);
  let outcomes = { ...noOutcomes } as Pick<ImportForecast, keyof typeof noOutcomes>;
  const problems = new LineWriter(spool.forecast);
  let listedBefore = noProblems;
  const pace = new Pace();
  const domains = domainFinder(deps, work, records.read);
  let checked = 0;

  const placeOf = (before: ReadonlySet<string>): Place => ({
    hasImported: (id) => before.has(id) || seen.sourceIds.has(id),
    domainOf: domains.domainOf,
    async create(link, body) {
      const foreseen = await links.foreseeArrival(records.read, caller, body, {
        hasKey: (key) => seen.keys.has(key),
        hasExternalId: (id) => seen.externalIds.has(id),
      });
      const isActive = stateOf(link) === "active";
      if (isActive && room <= 0) throw overLimit(caller.plan.id, limit ?? 0);
      if (isActive) room -= 1;
      if (foreseen.key !== null) seen.keys.add(foreseen.key);
      if (foreseen.externalId !== null) seen.externalIds.add(foreseen.externalId);
    },
  });

  const check = async (place: Place, link: ImportedLink): Promise<Outcome> => {
    try {
      return await placeLink(place, link, row.options);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      return refusalOf(error);
    }
  };

  try {
    for await (const { values } of readSpool<ImportedLink>(spool.links, 0, SLICE)) {
      const ids = values.map(({ sourceId }) => sourceId);
      const place = placeOf(await findImported(records.read, { accountNo: row.account_no, source: row.source, ids }));
      for (const link of values) {
        const outcome = await check(place, link);
        outcomes = addOutcome(outcomes, outcome);
        const { listed, counts } = listProblems(listedBefore, problemsOf(link, outcome, row.options));
        listedBefore = counts;
        for (const problem of listed) problems.write(problem);
        if (outcome.kind !== "created") continue;
        seen.sourceIds.add(link.sourceId);
        if (link.host !== "") hosts.add(link.host);
        for (const loss of lossesOf(link, row.options)) losses.add(loss);
      }
      checked += values.length;
      await onProgress(checked);
      await pace.rest(signal);
    }
    for (const problem of unlistedProblems(listedBefore)) problems.write(problem);
    problems.finish();
  } catch (error) {
    problems.close();
    throw error;
  }
  const shown = hosts
    .entries()
    .map(async ([host, count]) => ({ host, links: count, is_yours: await domains.isYours(host) }));
  return {
    ...outcomes,
    losses: losses.entries().map(([what, count]) => ({ what, links: count })),
    hosts: await Promise.all(shown),
    active_links_limit: limit,
  };
}

/** Counts of a limited number of texts; the first ones. */
class Tally {
  readonly #counts = new Map<string, number>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  add(text: string): void {
    const before = this.#counts.get(text);
    if (before !== undefined || this.#counts.size < this.#most) this.#counts.set(text, (before ?? 0) + 1);
  }

  /** Most first. */
  entries(): [string, number][] {
    return [...this.#counts].toSorted(([, a], [, b]) => b - a);
  }
}

const overLimit = (plan: string, limit: number): ApiError =>
  new ApiError("plan_limit", `The plan "${plan}" allows ${limit} active links.`, { feature: "active_links", limit });
