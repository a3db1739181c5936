import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { DataPaths } from "#config/data-paths.ts";

/** Sent to the supervisor when there is a successor. */
export const HANDOVER_SIGNAL = "SIGUSR2";

const fileOf = ({ run }: DataPaths): string => join(run, "successor.json");

/** In a directory that only the user of the server can write to. */
export const nameSuccessor = (paths: DataPaths, command: readonly string[]): void =>
  writeFileSync(fileOf(paths), JSON.stringify({ command }), { mode: 0o600 });

/** Once; `undefined` if nobody has named one. */
export function takeSuccessor(paths: DataPaths): readonly string[] | undefined {
  try {
    const { command } = JSON.parse(readFileSync(fileOf(paths), "utf8")) as { readonly command: unknown };
    return Array.isArray(command) && command.length > 0 ? command.map(String) : undefined;
  } catch {
    return undefined;
  } finally {
    rmSync(fileOf(paths), { force: true });
  }
}

/** Fulfilled with the command line of a successor, when someone names one. */
export function awaitSuccessor(paths: DataPaths): Promise<readonly string[]> {
  const { promise, resolve } = Promise.withResolvers<readonly string[]>();
  process.on(HANDOVER_SIGNAL, () => {
    const command = takeSuccessor(paths);
    if (command !== undefined) resolve(command);
  });
  return promise;
}
