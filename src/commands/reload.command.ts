import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { assertUsable } from "#runtime/data-directory.ts";
import { findLockHolder, type ServerNote } from "#runtime/data-lock.ts";
import { hasOpen } from "#supervision/open-files.ts";
import { forgetSuccessor, HANDOVER_SIGNAL, isRunning, nameSuccessor } from "#supervision/successor.ts";
import { version } from "../../package.json";
import { type LocalContext, localCommand } from "./command.ts";

const WAIT_MS_MAX = 120_000;
// A server that has just been started, such as by a script that also reloads it.
const START_MS_MAX = 30_000;
const ASK_MS = 50;

export const reload = localCommand({
  name: "reload",
  summary: "Replace the running server by this version, without refusing a connection",
  notes:
    "The process stays the same, and so do its settings: restart the server to change those. Redirect processes of the " +
    "version before serve until those of this one do; calls of the API wait for a moment. Before anything happens, the " +
    "server checks whether this version can start. A server with DATABASE_URL or CLICKHOUSE_URL, with KURZ_FAST_LANE=off, " +
    "with a name instead of an address in KURZ_HOST or on another system than Linux has to be restarted instead, and so " +
    "does one whose data this version changes in a way that the other can't read.",
  run: async (context) => {
    const { pid, server: before } = await awaitReplaceable(context);
    const startedAt = performance.now();
    const request = nameSuccessor(context.paths);
    if (request === null) throw busy();
    try {
      // Another reload may have begun, and its program doesn't listen yet.
      const { server: now } = findServer(context);
      if (now.run !== before.run || !now.isSettled) throw busy();
      process.kill(pid, HANDOVER_SIGNAL);
    } catch (error) {
      forgetSuccessor(context.paths);
      throw error;
    }
    context.progress(`Kurz ${version} takes over from ${before.version} …`);
    const after = await awaitSuccessorOf(context, { pid, server: before }, request);
    return { before: before.version, version: after.version, pid, ms: Math.round(performance.now() - startedAt) };
  },
  print: ({ before, version: after, ms }) =>
    `Kurz ${after} has taken over from ${before} in ${(ms / 1000).toFixed(1)} s.`,
});

interface Replaceable {
  readonly pid: number;
  readonly server: ServerNote;
}

const busy = (): OperatorMistake =>
  new OperatorMistake("the running server is starting or being reloaded; try again in a moment");

async function awaitReplaceable(context: LocalContext): Promise<Replaceable> {
  for (const startedAt = performance.now(); ; await Bun.sleep(ASK_MS)) {
    const found = findServer(context);
    if (found.server.isSettled) return found;
    if (found.server.isStarting !== true || performance.now() - startedAt > START_MS_MAX) throw busy();
  }
}

function findServer({ paths }: LocalContext): Replaceable {
  // The server couldn't read what another user writes.
  assertUsable(paths);
  const holder = findLockHolder(paths);
  if (holder?.purpose !== "server")
    throw new OperatorMistake("no server is running, so there is nothing to reload; start it");
  const { pid, server } = holder;
  const mustRestart = (why: string): OperatorMistake => new OperatorMistake(`${why}; restart the server instead`);
  if (server === undefined) throw mustRestart("the running server is a demo, or of a version that can't be reloaded");
  if (server.mustRestart !== undefined) throw mustRestart(server.mustRestart);
  // In another container, its number may mean any process.
  if (!hasOpen(pid, paths.lock)) {
    throw new OperatorMistake(
      `process ${pid} isn't the server here; run this where the server runs, such as in its container`,
    );
  }
  return { pid, server };
}

/** The answer to one request. */
async function awaitSuccessorOf(
  { paths }: LocalContext,
  { pid, server: before }: Replaceable,
  request: string,
): Promise<ServerNote> {
  for (const startedAt = performance.now(); performance.now() - startedAt < WAIT_MS_MAX; await Bun.sleep(ASK_MS)) {
    const now = findLockHolder(paths)?.server;
    if (now?.refused?.request === request)
      throw new OperatorMistake(`${now.refused.reason}. The running server (Kurz ${before.version}) goes on`);
    if (now !== undefined && now.run !== before.run && now.isSettled) {
      if (now.request === request && now.version === version) return now;
      throw new Error(
        `Kurz ${now.version} runs now: the server has been reloaded or restarted by someone else meanwhile. If that isn't the version you want, run this again`,
      );
    }
    if (!isRunning(pid))
      throw new Error("the new server has ended; its log says why. Start it again, or the version before");
  }
  throw new Error("the new server isn't ready after two minutes; see its log");
}
