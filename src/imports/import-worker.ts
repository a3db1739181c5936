import { readdirSync } from "node:fs";
import { join } from "node:path";
import { undefinedIfMissing } from "#kernel/error-codes.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import type { Hold } from "#kernel/shared-hold.ts";
import { type AdvanceDeps, advanceImport } from "./advance-import.ts";
import { deleteImport, listIdle, listIdsOf, listWorkOf } from "./imports.store.ts";
import { eraseRead, eraseSpool, spoolOf } from "./spool.ts";
import { eraseOldUploads, UPLOADS } from "./uploads.ts";

export interface ImportSurroundings {
  readonly onProblem: (message: string, error: unknown) => void;
  /** While an import runs, this process stays out of the way of redirects. */
  readonly stepAside: Hold;
}

interface WorkerDeps extends AdvanceDeps, ImportSurroundings {
  readonly node: string;
}

const EVERY_MS = 1000;
const RETRY_MS_MAX = 60_000;
const AT_ONCE_MAX = 2;
const SWEEP_EVERY_MS = 3_600_000;
const DAY_MS = 86_400_000;
const SPOOL_DAYS = 7;
const RECORD_DAYS = 30;

interface WakeableLoop extends Loop {
  wake(): void;
}

/** Works on the imports whose spool this node has, a few at a time. */
export function startImportWorker(deps: WorkerDeps): WakeableLoop {
  const { records, node, onProblem, stepAside } = deps;
  const stopping = new AbortController();
  const active = new Map<number, Promise<void>>();
  const resting = new Map<number, { readonly untilMs: number; readonly failures: number }>();
  let sweptMs = Number.NEGATIVE_INFINITY;

  /** An engine that is away, or a bug: tried again, less and less often. */
  const rest = (no: number, error: unknown): void => {
    const failures = (resting.get(no)?.failures ?? 0) + 1;
    const waitMs = Math.min(EVERY_MS * 2 ** failures, RETRY_MS_MAX);
    resting.set(no, { failures, untilMs: performance.now() + waitMs });
    if (!stopping.signal.aborted) onProblem("an import could not go on yet", error);
  };

  const begin = (no: number): void => {
    const comeBack = stepAside();
    const run = advanceImport(deps, no, stopping.signal)
      .then(() => void resting.delete(no))
      .catch((error) => rest(no, error))
      .finally(() => {
        comeBack();
        active.delete(no);
        loop.wake();
      });
    active.set(no, run);
  };

  const loop = startLoop({
    intervalMs: EVERY_MS,
    async run() {
      if (performance.now() - sweptMs > SWEEP_EVERY_MS) {
        await sweep(deps);
        sweptMs = performance.now();
      }
      const isDue = (no: number): boolean => !active.has(no) && (resting.get(no)?.untilMs ?? 0) <= performance.now();
      const due = (await listWorkOf(records.read, node)).filter(({ no }) => isDue(no));
      for (const { no } of due.slice(0, AT_ONCE_MAX - active.size)) begin(no);
      return false;
    },
    onFailure: (error) => onProblem("imports could not be looked for", error),
  });

  return {
    wake: loop.wake,
    async stop() {
      stopping.abort(new Error("the server is stopping"));
      await Promise.all([loop.stop(), ...active.values()]);
    },
  };
}

/** Erases what is no longer needed, and what nobody knows any more. */
async function sweep({ records, clock, node, root }: WorkerDeps): Promise<void> {
  const now = clock();
  for (const { no, id, updated_at } of await listIdle(records.read, node)) {
    if (updated_at < now - RECORD_DAYS * DAY_MS) await records.write((tx) => deleteImport(tx, no));
    else if (updated_at < now - SPOOL_DAYS * DAY_MS) eraseRead(spoolOf(root, id));
  }
  const known = new Set(await listIdsOf(records.read, node));
  for (const name of listNames(root)) {
    if (name !== UPLOADS && !known.has(name)) eraseSpool({ directory: join(root, name) });
  }
  eraseOldUploads(root, now);
}

function listNames(root: string): string[] {
  try {
    return readdirSync(root);
  } catch (error) {
    return undefinedIfMissing(error) ?? [];
  }
}
