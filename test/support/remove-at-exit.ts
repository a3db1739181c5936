import { rmSync } from "node:fs";
import { constants } from "node:os";

const toRemove = new Set<string>();

/** Removes a directory when this process ends, also by an error or Ctrl-C. */
export function removeAtExit(directory: string): void {
  if (toRemove.size === 0) {
    process.on("exit", () => {
      for (const path of toRemove) rmSync(path, { recursive: true, force: true });
    });
    // By default a signal ends the process without that event. The exit code is as a shell reports it.
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
      process.on(signal, () => process.exit(128 + constants.signals[signal]));
  }
  toRemove.add(directory);
}
