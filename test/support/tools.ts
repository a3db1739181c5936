import { join } from "node:path";
import manifest from "../tools/package.json" with { type: "json" };

export const TOOLS_DIRECTORY = join(import.meta.dir, "..", "tools");
const INSTALL_TIMEOUT_MS = 240_000;
const RUN_TIMEOUT_MS = 180_000;

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(command: readonly string[], timeoutMs: number): Promise<Run> {
  const child = Bun.spawn([...command], {
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
    timeout: timeoutMs,
    killSignal: "SIGKILL",
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (child.signalCode) throw new Error(`${command[0]} was stopped after ${timeoutMs} ms: ${stderr}`);
  return { exitCode, stdout, stderr };
}

async function isInstalled([name, version]: readonly [string, string]): Promise<boolean> {
  const file = Bun.file(join(TOOLS_DIRECTORY, "node_modules", name, "package.json"));
  return (await file.exists()) && (await file.json()).version === version;
}

async function install(): Promise<void> {
  const installed = await Promise.all(Object.entries(manifest.devDependencies).map(isInstalled));
  if (installed.every(Boolean)) return;
  const { exitCode, stderr } = await run(["npm", "ci"], INSTALL_TIMEOUT_MS);
  if (exitCode !== 0) {
    throw new Error(
      `the checkers in test/tools could not be installed; "npm ci" there ended with ${exitCode}: ${stderr}`,
    );
  }
}

let installing: Promise<void> | undefined;

/** Installs the packages of test/tools/package-lock.json, unless they are installed. */
export const ensureTools = (): Promise<void> => {
  installing ??= install();
  return installing;
};

/** Runs a program from test/tools. */
export const runTool = (name: string, args: readonly string[]): Promise<Run> =>
  run([join(TOOLS_DIRECTORY, "node_modules", ".bin", name), ...args], RUN_TIMEOUT_MS);
