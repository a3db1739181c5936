import { enginePlaces } from "#config/engine-places.ts";
import { canMigrateBesideReaders } from "#engines/open-engines.ts";
import { isShared } from "#engines/places.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { assertUsable } from "#runtime/data-directory.ts";
import { findLockHolder, type ServerNote } from "#runtime/data-lock.ts";
import { ownCommand } from "#supervision/own-command.ts";
import { HANDOVER_SIGNAL, nameSuccessor } from "#supervision/successor.ts";
import { version } from "../../package.json";
import { type LocalContext, localCommand } from "./command.ts";

const WAIT_MS_MAX = 120_000;
const ASK_MS = 50;

export const reload = localCommand({
  name: "reload",
  summary: "Replace the running server by this version, without refusing a connection",
  notes:
    "The process stays the same, and so do its settings: restart the server to change those. Redirect processes of the " +
    "version before serve until those of this one do; calls of the API wait for a moment. A server with DATABASE_URL, with " +
    "KURZ_FAST_LANE=off or on another system than Linux has to be restarted instead, and so does one whose data this " +
    "version changes in a way that the other can't read.",
  run: async (context) => {
    const { pid, server: before } = await findReplaceable(context);
    const startedAt = performance.now();
    nameSuccessor(context.paths, ownCommand("serve"));
    process.kill(pid, HANDOVER_SIGNAL);
    context.progress(`Kurz ${version} takes over from ${before.version} …`);
    const after = await awaitSuccessorOf(context, pid, before);
    return { before: before.version, version: after.version, pid, ms: Math.round(performance.now() - startedAt) };
  },
  print: ({ before, version: after, ms }) =>
    `Kurz ${after} has taken over from ${before} in ${(ms / 1000).toFixed(1)} s.`,
});

interface Replaceable {
  readonly pid: number;
  readonly server: ServerNote;
}

async function findReplaceable({ config, paths }: LocalContext): Promise<Replaceable> {
  // The server couldn't read what another user writes.
  assertUsable(paths);
  const holder = findLockHolder(paths);
  if (holder?.purpose !== "server")
    throw new OperatorMistake("no server is running, so there is nothing to reload; start it");
  const { records, clicks } = enginePlaces(config);
  const mustRestart = (why: string): OperatorMistake => new OperatorMistake(`${why}; restart the server instead`);
  if (holder.server === undefined)
    throw mustRestart("the running server is a demo, or of a version that can't be reloaded");
  if (isShared(records) || isShared(clicks)) throw mustRestart("a node with its data on servers can't be reloaded");
  if (process.platform !== "linux" || !config.fastLane) throw mustRestart("this takes Linux and the fast lane");
  if (!(await canMigrateBesideReaders(records))) {
    throw mustRestart("this version changes the data in a way that the running one can't read");
  }
  if (!holder.server.isSettled) throw new OperatorMistake("the running server has just started; try again in a moment");
  return { pid: holder.pid, server: holder.server };
}

async function awaitSuccessorOf({ paths }: LocalContext, pid: number, before: ServerNote): Promise<ServerNote> {
  for (const startedAt = performance.now(); performance.now() - startedAt < WAIT_MS_MAX; await Bun.sleep(ASK_MS)) {
    const holder = findLockHolder(paths);
    if (holder?.server !== undefined && holder.server.run !== before.run && holder.server.isSettled)
      return holder.server;
    if (!isThere(pid))
      throw new Error("the new server has ended; its log says why. Start it again, or the version before");
  }
  throw new Error("the new server isn't ready after two minutes; see its log");
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
