import { join } from "node:path";
import { installPackages } from "./installed-packages.ts";

export const TOOLS_DIRECTORY = join(import.meta.dir, "..", "tools");
const RUN_TIMEOUT_MS = 180_000;

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

let installing: Promise<void> | undefined;

/** Installs the packages of test/tools/package-lock.json, unless they are installed. */
export const ensureTools = (): Promise<void> => {
  installing ??= installPackages(TOOLS_DIRECTORY);
  return installing;
};

/** Runs a program from test/tools. */
export async function runTool(name: string, args: readonly string[]): Promise<Run> {
  const child = Bun.spawn([join(TOOLS_DIRECTORY, "node_modules", ".bin", name), ...args], {
    cwd: TOOLS_DIRECTORY,
    // The tools send telemetry or look for updates unless told not to.
    env: {
      ...process.env,
      SCARF_ANALYTICS: "false",
      REDOCLY_TELEMETRY: "off",
      REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: RUN_TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (child.signalCode) throw new Error(`${name} was stopped after ${RUN_TIMEOUT_MS} ms: ${stderr}`);
  return { exitCode, stdout, stderr };
}
