import { join } from "node:path";
import { installPackages } from "./installed-packages.ts";

export const RUNTIMES_DIRECTORY = join(import.meta.dir, "..", "runtimes");

const installed = (...path: readonly string[]): string => join(RUNTIMES_DIRECTORY, "node_modules", ...path);

/** What people run clients with; `npm test` installs them before the files that need them run in parallel. */
export const installRuntimes = (): Promise<void> => installPackages(RUNTIMES_DIRECTORY);

/** The Node of this machine, which is at least the oldest that Kurz supports, and a newer one. */
export const nodes = {
  "this machine's Node": "node",
  "Node 22": installed(`node-linux-${process.arch}`, "bin", "node"),
} as const;

export const DENO = installed(".bin", "deno");
export const TYPESCRIPT_5 = installed("typescript-5", "lib", "tsc.js");
export const TYPE_ROOTS = installed("@types");
export const TYPES_CHECKER = installed("@arethetypeswrong", "core", "dist", "index.js");
