import { join } from "node:path";

/**
 * Starts the server and outlives this process just long enough to end it: whoever holds the other end of stdin is gone
 * once it closes. A signal's name on stdin stops the server alone, and it can be started again.
 */
const KEEPER = `
directory=$1; last=$2; shift 2
"$@" & server=$!
read -r signal || signal=
kill -s "\${signal:-$last}" "$server"; wait "$server"
[ -n "$signal" ] || rm -rf "$directory"
`;

/** The keeper isn't a child of the test process, whose runner kills those that are left when a file ends. */
const DETACH = 'exec 3<&0; setsid sh -c "$@" <&3 & wait "$!"';

export type Keeper = Bun.Subprocess<"pipe">;

export interface Kept {
  /** It is deleted once this process is gone. */
  readonly directory: string;
  readonly command: readonly string[];
  /** Ends the server once this process is gone. A shell lets what it starts in the background ignore INT and QUIT. */
  readonly lastSignal: "TERM" | "QUIT";
}

/** Runs a server for all files of this process. It ends with the process, even if that is killed. */
export const keepProcess = ({ directory, command, lastSignal }: Kept): Keeper =>
  detach(KEEPER, [directory, lastSignal, ...command], Bun.file(join(directory, "log")));

/** A zombie stays where nobody waits for it. */
const STOPPER = `
read -r signal
kill -s TERM "$1"
while grep -qs "^State:.[^ZX]" "/proc/$1/status"; do sleep 0.2; done
rm -rf "$2"
`;

/** Stops a server once this process is gone, even if that is killed, and then deletes its directory. */
export function stopAfterThisProcess(server: Bun.Subprocess, directory: string): void {
  detach(STOPPER, [String(server.pid), directory], "ignore");
  server.unref();
}

function detach(script: string, args: readonly string[], stderr: Bun.BunFile | "ignore"): Keeper {
  const keeper = Bun.spawn(["sh", "-c", DETACH, "sh", script, "sh", ...args], {
    stdin: "pipe",
    stdout: "ignore",
    stderr,
  });
  // It must not keep this process alive, which keeps it alive.
  keeper.unref();
  return keeper;
}
