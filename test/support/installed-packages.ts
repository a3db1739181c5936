import { join } from "node:path";

const INSTALL_TIMEOUT_MS = 240_000;

interface Manifest {
  readonly devDependencies: Readonly<Record<string, string>>;
}

async function isInstalled(directory: string, [name, wanted]: readonly [string, string]): Promise<boolean> {
  const file = Bun.file(join(directory, "node_modules", name, "package.json"));
  // Under another name, it is wanted as `npm:name@version`.
  return (await file.exists()) && wanted.endsWith((await file.json()).version);
}

/**
 * Installs the packages of a directory's package-lock.json, unless they are installed. They are apart from the product's
 * own dependencies, since only some tests need them. Files that run in parallel must not do so at the same time.
 */
export async function installPackages(directory: string): Promise<void> {
  const { devDependencies }: Manifest = await Bun.file(join(directory, "package.json")).json();
  const installed = await Promise.all(Object.entries(devDependencies).map((one) => isInstalled(directory, one)));
  if (installed.every(Boolean)) return;
  // Not `npm ci`, which refuses a lock without the packages of other platforms that a mirror may not have.
  const child = Bun.spawn(["npm", "install", "--no-save"], {
    cwd: directory,
    // Some of them send telemetry unless told not to.
    env: { ...process.env, SCARF_ANALYTICS: "false" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: INSTALL_TIMEOUT_MS,
    killSignal: "SIGKILL",
  });
  const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`"npm install" in ${directory} ended with ${exitCode}: ${stderr}`);
}
