import { basename } from "node:path";
import { appendAudit } from "#audit/audit.service.ts";
import type { Import } from "#contract/console/imports.ts";
import { domainForNewLink } from "#domains/link-domains.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { toCsv } from "#kernel/csv.ts";
import { newId } from "#kernel/ids.ts";
import { findTimeZone } from "#shared/time-zone.ts";
import { type AdvanceDeps, advanceImport } from "./advance-import.ts";
import { canResume, canUndo, describeImport, isWorking } from "./describe-import.ts";
import { type ImportOptions, noProgress } from "./import-options.ts";
import { needsToken } from "./import-source.ts";
import { ImportTaken, saveImport } from "./import-work.ts";
import { type ImportSurroundings, startImportWorker } from "./import-worker.ts";
import {
  changeImport,
  countOpen,
  findAccountOfImport,
  findImport,
  type ImportChange,
  type ImportRow,
  insertImport,
  listImportsOf,
} from "./imports.store.ts";
import { type ImportProblem, unlistedProblems } from "./problem-list.ts";
import { hasSpool, readSpool, spoolOf } from "./spool.ts";
import { importUploads } from "./uploads.ts";

type Deps = Omit<AdvanceDeps, "tokenOf" | "forgetToken"> & { readonly node: string };

export interface ImportRequest extends Partial<ImportOptions> {
  readonly source: string;
  readonly token?: string | undefined;
}

const OPEN_MAX = 5;
const LISTED_MAX = 100;
const FOLLOW_MS = 250;
const ROWS_AT_ONCE = { linesMax: 500, bytesMax: 1 << 20 };

/** Moves links and clicks in from elsewhere. Every import is looked up within its account. */
export function importService(deps: Deps) {
  const { records, clock, sources, node, root } = deps;
  // Only here, and only until the source is read.
  const tokens = new Map<string, string>();
  const advanceDeps: AdvanceDeps = {
    ...deps,
    tokenOf: (id) => tokens.get(id),
    forgetToken: (id) => void tokens.delete(id),
  };
  let wake = (): void => {};

  const getRow = async ({ accountNo }: Pick<Caller, "accountNo">, id: string): Promise<ImportRow> => {
    const row = await findImport(records.read, accountNo, id);
    if (!row) throw notFound();
    return row;
  };

  /** Otherwise every link would be refused, one by one. */
  const assertDomain = async (caller: Caller, domain: string | null): Promise<void> => {
    try {
      if (domain !== null) await domainForNewLink(records.read, caller, domain, deps.ownDomain);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status >= 500) throw error;
      throw validationFailed([bodyProblem("domain", "out_of_range", error.message)]);
    }
  };

  /** Changes an import that others may be changing, too. */
  const change = async (
    caller: Caller,
    id: string,
    decide: (row: ImportRow) => ImportChange | null,
    also: (tx: Sql) => Promise<void> = async () => {},
  ): Promise<Import> => {
    for (;;) {
      const row = await getRow(caller, id);
      const wanted = decide(row);
      if (!wanted) return describeImport(row);
      try {
        const saved = await records.write(async (tx) => {
          const changed = await saveImport(tx, advanceDeps, row, wanted);
          await also(tx);
          return changed;
        });
        wake();
        return describeImport(saved);
      } catch (error) {
        if (!(error instanceof ImportTaken)) throw error;
      }
    }
  };

  return {
    uploads: importUploads(root),

    sources: Object.entries(sources).map(([name, { title, needsToken, place }]) => ({
      ...{ name, title, place },
      needs_token: needsToken,
    })),

    /** Begins to read the source. The work is done by `start`'s loop, or by `finish`. */
    async begin(caller: Caller, { source, token, ...given }: ImportRequest): Promise<Import> {
      const options = readOptions(sources, source, token, given);
      await assertDomain(caller, options.domain);
      const id = newId("imp");
      const row = await records.write(async (tx) => {
        if ((await countOpen(tx, caller.accountNo)) >= OPEN_MAX) throw tooMany();
        const at = clock();
        const { accountNo, actor } = caller;
        await appendAudit(tx, { at, accountNo, actor, action: "import.started", subject: id, details: { source } });
        return insertImport(tx, { id, account_no: accountNo, source, node, actor, options, progress: noProgress, at });
      });
      if (token !== undefined) tokens.set(id, token);
      wake();
      return describeImport(row);
    },

    list: async ({ accountNo }: Caller): Promise<Import[]> =>
      (await listImportsOf(records.read, accountNo, LISTED_MAX)).map(describeImport),

    get: async (caller: Caller, id: string): Promise<Import> => describeImport(await getRow(caller, id)),

    /** The account of an import that an operator names. */
    accountIdOf: (id: string): Promise<string | undefined> => findAccountOfImport(records.read, id),

    cancel: (caller: Caller, id: string): Promise<Import> =>
      change(caller, id, (row) =>
        isWorking(row) || row.state === "checked" ? { state: "cancelled", finished_at: clock() } : null,
      ),

    /** Runs a checked import, or goes on with one that stopped. */
    resume(caller: Caller, id: string, token?: string): Promise<Import> {
      const decide = (row: ImportRow): ImportChange | null => {
        if (isWorking(row)) return null;
        if (!canResume(row)) throw notNow("run", `It is ${row.state}.`);
        const isRead = row.progress.isRead && (row.node !== node || hasSpool(spoolOf(root, row.id)));
        // What nobody has seen the check of isn't run yet.
        const state = row.forecast === null ? "checking" : "running";
        if (isRead) return { state, problem: null, finished_at: null };
        if (row.progress.links.done > 0) throw notNow("run", "What was read is no longer there; start it again.");
        const source = sources[row.source];
        if (source && needsToken(source, row.options.file) && token === undefined)
          throw notNow("token", "The token isn't stored.");
        if (token !== undefined) tokens.set(id, token);
        return { state: "reading", node, progress: noProgress, forecast: null, problem: null, finished_at: null };
      };
      return change(caller, id, decide, async (tx) => {
        // It is one of them by now.
        if ((await countOpen(tx, caller.accountNo)) <= OPEN_MAX) return;
        tokens.delete(id);
        throw tooMany();
      });
    },

    undo(caller: Caller, id: string): Promise<Import> {
      const { accountNo, actor } = caller;
      return change(
        caller,
        id,
        (row) => {
          if (row.state === "undoing" || row.state === "undone") return null;
          if (!canUndo(row)) throw notNow("undo", "It has created no links.");
          // Only what is stored is needed, which every node has.
          return { state: "undoing", node, problem: null, finished_at: null };
        },
        async (tx) => {
          const at = clock();
          await setUndoneBy(tx, accountNo, id, { actor, at });
          await appendAudit(tx, { at, accountNo, actor, action: "import.undone", subject: id });
        },
      );
    },

    /** What couldn't be imported as it was, as CSV. */
    async problems(caller: Caller, id: string): Promise<AsyncGenerator<string>> {
      const row = await getRow(caller, id);
      const spool = spoolOf(root, row.id);
      const { links, counts, problemBytes, problems } = row.progress;
      const hasRun = links.done + counts.done > 0;
      async function* rowsOf(file: string, validBytes?: number): AsyncGenerator<string> {
        for await (const { values } of readSpool<ImportProblem>(file, 0, ROWS_AT_ONCE, validBytes)) {
          yield toCsv(values.map(cellsOf));
        }
      }
      async function* parts(): AsyncGenerator<string> {
        yield toCsv([["line", "link", "destination", "code", "problem"]]);
        yield* rowsOf(spool.unreadable);
        if (!hasRun) return yield* rowsOf(spool.forecast);
        yield* rowsOf(spool.problems, problemBytes);
        yield toCsv(unlistedProblems(problems).map(cellsOf));
      }
      return parts();
    },

    /** Works in this process until there is nothing left to do; for commands without a server. */
    async finish(caller: Caller, id: string, signal: AbortSignal): Promise<Import> {
      await advanceImport(advanceDeps, (await getRow(caller, id)).no, signal);
      return describeImport(await getRow(caller, id));
    },

    /** Waits while others work on it. */
    async follow(caller: Caller, id: string, signal: AbortSignal, onProgress: (now: Import) => void): Promise<Import> {
      for (;;) {
        const now = await describeImport(await getRow(caller, id));
        onProgress(now);
        if (!isWorking(now)) return now;
        await Bun.sleep(FOLLOW_MS);
        signal.throwIfAborted();
      }
    },

    /** Works on this node's imports until it is stopped. */
    start(around: ImportSurroundings) {
      const worker = startImportWorker({ ...advanceDeps, ...around, node });
      wake = worker.wake;
      return worker;
    },
  };
}
export type ImportService = ReturnType<typeof importService>;

/** Read again, once nobody else can change it: it may have been running. */
async function setUndoneBy(
  tx: Sql,
  accountNo: number,
  id: string,
  { actor, at }: { readonly actor: string; readonly at: number },
): Promise<void> {
  const row = await findImport(tx, accountNo, id);
  if (row) await changeImport(tx, row, at, { progress: { ...row.progress, undoneBy: actor } });
}

const cellsOf = ({ line, where, destination, code, message }: ImportProblem): string[] => [
  ...[line, where, destination, code, message],
];

function readOptions(
  sources: Deps["sources"],
  name: string,
  token: string | undefined,
  given: Omit<ImportRequest, "source" | "token">,
): ImportOptions {
  const source = Object.hasOwn(sources, name) ? sources[name] : undefined;
  const refuse = (field: string, message: string): ApiError =>
    validationFailed([bodyProblem(field, "out_of_range", message)]);
  if (!source) throw refuse("source", `There is no source "${name}". There are ${Object.keys(sources).join(", ")}.`);
  if (needsToken(source, given.file ?? null) && (token ?? "") === "")
    throw refuse("token", `${source.title} needs a token.`);
  if (source.place === "file" && !given.file) throw refuse("file", `${source.title} needs a file.`);
  const timeZone = given.timeZone ?? "UTC";
  if (!findTimeZone(timeZone)) throw refuse("time_zone", `There is no time zone "${timeZone}".`);
  const file = given.file ?? null;
  return {
    url: given.url ?? "",
    file,
    countsFile: given.countsFile ?? null,
    fileName: file === null ? null : (given.fileName ?? basename(file)),
    columns: given.columns ?? {},
    onConflict: given.onConflict ?? "skip",
    domain: given.domain ?? null,
    tag: given.tag ?? null,
    sendsEvents: given.sendsEvents ?? true,
    withClicks: given.withClicks ?? true,
    countsFrom: given.countsFrom ?? null,
    timeZone,
    isDryRun: given.isDryRun ?? false,
  };
}

const notNow = (field: string, why: string): ApiError =>
  validationFailed([bodyProblem(field, "out_of_range", `That isn't possible now. ${why}`)]);

const tooMany = (): ApiError =>
  validationFailed([
    bodyProblem(
      "source",
      "out_of_range",
      `An account can have ${OPEN_MAX} open imports, including those that are only checked. Finish or cancel one of them.`,
    ),
  ]);
