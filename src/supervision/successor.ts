import { linkSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DataPaths } from "#config/data-paths.ts";
import { codeOf } from "#kernel/error-codes.ts";
import { commandForOthers } from "./own-command.ts";

/** Sent to the supervisor when there is a successor. */
export const HANDOVER_SIGNAL = "SIGUSR2";

/** A program that wants to take over. */
export interface Successor {
  /** Names this request in the answer. */
  readonly request: string;
  /** The process that has asked. */
  readonly asker: number;
  readonly command: readonly string[];
  /** Ends with 0 if that program could start with the settings it is given; otherwise its last line says why not. */
  readonly check: readonly string[];
}

// Longer than anyone waits for an answer.
const REQUEST_MS_MAX = 300_000;

const fileOf = ({ run }: DataPaths): string => join(run, "successor.json");

/** Names this program, in a directory that only the server's user can write to. `null` if another one is named already. */
export function nameSuccessor(paths: DataPaths): string | null {
  const request = Bun.randomUUIDv7();
  const successor: Successor = {
    request,
    asker: process.pid,
    command: commandForOthers("serve"),
    check: commandForOthers("check-takeover"),
  };
  const draft = `${fileOf(paths)}.${request}`;
  writeFileSync(draft, JSON.stringify(successor), { mode: 0o600, flag: "wx" });
  try {
    if (isAbandoned(paths)) forgetSuccessor(paths);
    linkSync(draft, fileOf(paths));
    return request;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return null;
    throw error;
  } finally {
    rmSync(draft, { force: true });
  }
}

export const forgetSuccessor = (paths: DataPaths): void => rmSync(fileOf(paths), { force: true });

/** Once; `undefined` if nobody has named one. */
function takeSuccessor(paths: DataPaths): Successor | undefined {
  const found = readSuccessor(paths);
  forgetSuccessor(paths);
  return found;
}

function readSuccessor(paths: DataPaths): Successor | undefined {
  try {
    const { request, asker, command, check } = JSON.parse(readFileSync(fileOf(paths), "utf8"));
    if (!isCommand(command) || !isCommand(check)) return undefined;
    return { request: String(request), asker: Number(asker), command, check };
  } catch {
    return undefined;
  }
}

const isCommand = (value: unknown): value is readonly string[] =>
  Array.isArray(value) && value.length > 0 && value.every((word) => typeof word === "string");

/** Whoever named it is gone, and nobody has taken it. */
function isAbandoned(paths: DataPaths): boolean {
  const asker = readSuccessor(paths)?.asker;
  const { mtimeMs = Date.now() } = statSync(fileOf(paths), { throwIfNoEntry: false }) ?? {};
  return Math.abs(Date.now() - mtimeMs) > REQUEST_MS_MAX || (asker !== undefined && !isRunning(asker));
}

export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** From now on, those that are named are taken one after another. What was named before is void. */
export function listenForSuccessors(paths: DataPaths): { next(): Promise<Successor> } {
  forgetSuccessor(paths);
  let called = Promise.withResolvers<void>();
  process.on(HANDOVER_SIGNAL, () => called.resolve());
  return {
    async next() {
      for (;;) {
        await called.promise;
        called = Promise.withResolvers<void>();
        const successor = takeSuccessor(paths);
        if (successor !== undefined) return successor;
      }
    },
  };
}
