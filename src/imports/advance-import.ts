import { basename } from "node:path";
import type { ImportForecast } from "#contract/console/imports.ts";
import { OutboundError } from "#engines/outbound/outbound-client.ts";
import type { Caller } from "#kernel/caller.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { checkImport } from "./check-import.ts";
import type { ImportOptions, ImportProgress } from "./import-options.ts";
import { needsToken, SourceProblem } from "./import-source.ts";
import { type ImportDeps, ImportFailed, ImportTaken, type ImportWork, saveImport } from "./import-work.ts";
import { findByNo, findWorkingAccount, type ImportChange, type ImportRow } from "./imports.store.ts";
import { readImport } from "./read-import.ts";
import { runCounts } from "./run-counts.ts";
import { runExtras } from "./run-extras.ts";
import { runLinks } from "./run-links.ts";
import { eraseRead, hasSpool, spoolOf } from "./spool.ts";
import { undoLinks } from "./undo-import.ts";

export interface AdvanceDeps extends ImportDeps {
  readonly plans: PlanCatalogue;
  /** The folder with the spools. */
  readonly root: string;
  /** The token of an import that is being read, if this process was given it. */
  readonly tokenOf: (importId: string) => string | undefined;
  /** Once the source is read, or is no longer to be. */
  readonly forgetToken: (importId: string) => void;
}

const SAVE_EVERY_MS = 500;

/** Does what there is to do for an import until it is over or waits for someone; after a kill it goes on from there. */
export async function advanceImport(deps: AdvanceDeps, no: number, signal: AbortSignal): Promise<void> {
  const { records, root } = deps;
  for (;;) {
    const row = await findByNo(records.read, no);
    const step = row && steps[row.state as keyof typeof steps];
    const caller = row && (await callerOf(deps, row));
    if (!row || !step || !caller || signal.aborted) return;
    const work: ImportWork = { row, caller, spool: spoolOf(root, row.id), signal };
    try {
      await step(deps, work);
      deps.forgetToken(row.id);
    } catch (error) {
      if (error instanceof ImportTaken) return deps.forgetToken(row.id);
      const problem = problemFor(error, row.options);
      if (problem === null) throw withoutToken(error, deps.tokenOf(row.id));
      await end(deps, row, { state: "failed", problem });
      return deps.forgetToken(row.id);
    }
  }
}

/** In words for the person who imports; `null` for what isn't theirs to mend. */
function problemFor(error: unknown, options: ImportOptions): string | null {
  if (error instanceof ImportFailed || error instanceof SourceProblem) return withoutPaths(error.message, options);
  return error instanceof OutboundError ? `The source can't be reached: ${error.message}` : null;
}

/** Where the server keeps an uploaded file is nobody's business. */
const withoutPaths = (message: string, { file, countsFile }: ImportOptions): string =>
  [file, countsFile].reduce<string>((text, path) => (path ? text.replaceAll(path, basename(path)) : text), message);

/** A bug may have put it into a message, which is logged. */
function withoutToken(error: unknown, token = ""): unknown {
  if (!(error instanceof Error) || token === "") return error;
  for (const key of ["message", "stack"] as const) error[key] = error[key]?.replaceAll(token, "…") ?? "";
  return error;
}

async function callerOf({ records, plans }: AdvanceDeps, row: ImportRow): Promise<Caller | null> {
  const { account_no, state, progress } = row;
  const actor = state === "undoing" ? (progress.undoneBy ?? row.actor) : row.actor;
  const account = await findWorkingAccount(records.read, account_no);
  if (!account) return null;
  return { accountNo: account_no, accountId: account.id, plan: plans.of(account.plan_id), actor, via: "import" };
}

const end = (deps: ImportDeps, row: ImportRow, change: ImportChange): Promise<unknown> =>
  save(deps, row, { ...change, finished_at: deps.clock() });

const save = (deps: ImportDeps, row: ImportRow, change: ImportChange): Promise<ImportRow> =>
  deps.records.write((tx) => saveImport(tx, deps, row, change));

/** Now and then, so that people see that it goes on. Notices when someone cancels it. */
function progressSaver(deps: ImportDeps, row: ImportRow) {
  let savedMs = performance.now();
  return async (change: Partial<ImportProgress>): Promise<void> => {
    if (performance.now() - savedMs < SAVE_EVERY_MS) return;
    await save(deps, row, { progress: { ...row.progress, ...change } });
    savedMs = performance.now();
  };
}

const steps = {
  async reading(deps: AdvanceDeps, work: ImportWork): Promise<void> {
    const { row } = work;
    const token = deps.tokenOf(row.id);
    const source = deps.sources[row.source];
    if (token === undefined && source && needsToken(source, row.options.file)) {
      throw new ImportFailed("Reading was interrupted. Resume it with the token: it isn't stored.");
    }
    const saver = progressSaver(deps, row);
    const read = await readImport(deps, work, token ?? "", (now) => saver({ read: { ...now } }));
    await save(deps, row, { state: "checking", progress: { ...row.progress, read, isRead: true } });
  },

  async checking(deps: AdvanceDeps, work: ImportWork): Promise<void> {
    assertSpool(work);
    const { row } = work;
    const saver = progressSaver(deps, row);
    const forecast = await checkImport(deps, work, (checked) => saver({ checked }));
    const progress = { ...row.progress, checked: row.progress.read.links };
    const isStopped = hasStopped(row, forecast);
    if (isStopped) await end(deps, row, { state: "failed", problem: conflictText(forecast), forecast, progress });
    else await save(deps, row, { state: row.options.isDryRun ? "checked" : "running", forecast, progress });
  },

  async running(deps: AdvanceDeps, work: ImportWork): Promise<void> {
    assertSpool(work);
    const created = { ...work, row: await runLinks(deps, work) };
    await runExtras(deps, created);
    const row = await runCounts(deps, created);
    await end(deps, row, { state: "done" });
    eraseRead(work.spool);
  },

  async undoing(deps: AdvanceDeps, work: ImportWork): Promise<void> {
    await end(deps, await undoLinks(deps, work), { state: "undone" });
    eraseRead(work.spool);
  },
};

function assertSpool({ spool }: ImportWork): void {
  if (hasSpool(spool)) return;
  throw new ImportFailed("What was read is no longer there. Start the import again: nothing is imported twice.");
}

export const hasStopped = ({ options }: ImportRow, forecast: ImportForecast | null): boolean =>
  options.onConflict === "fail" && (forecast?.conflicts ?? 0) > 0;

export const conflictText = ({ conflicts }: ImportForecast): string =>
  `${conflicts} ${conflicts === 1 ? "slug is" : "slugs are"} taken or not allowed, so nothing was imported. ` +
  'Start again with "skip" or "suffix" to import the others.';
