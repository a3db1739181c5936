import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { packages } from "../../package-lock.json";

const ROOT = join(import.meta.dir, "..", "..");
const CACHE = join(ROOT, "node_modules", ".cache", "kurz-binary");

interface LockedPackage {
  readonly version: string;
  readonly integrity: string;
}

/** The directory of a package that may be for another processor, which npm therefore didn't install. */
export async function findPackage(name: string): Promise<string> {
  const installed = join(ROOT, "node_modules", name);
  if (existsSync(installed)) return installed;
  const locked = (packages as Readonly<Record<string, Partial<LockedPackage>>>)[`node_modules/${name}`];
  if (!locked?.version || !locked.integrity) throw new Error(`package-lock.json does not list ${name}`);
  const directory = join(CACHE, `${name.replaceAll("/", "-")}-${locked.version}`);
  if (!existsSync(directory)) await fetchPackage(name, locked as LockedPackage, directory);
  return directory;
}

async function fetchPackage(name: string, { version, integrity }: LockedPackage, directory: string): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const draft = mkdtempSync(join(CACHE, "draft-"));
  try {
    await run(["npm", "pack", "--silent", "--pack-destination", draft, `${name}@${version}`]);
    const [archive = ""] = [...new Bun.Glob("*.tgz").scanSync({ cwd: draft, absolute: true })];
    const [algorithm = "", digest] = integrity.split(/-(.*)/);
    if (createHash(algorithm).update(readFileSync(archive)).digest("base64") !== digest) {
      throw new Error(`${name}@${version} is not the package in package-lock.json`);
    }
    await run(["tar", "-xzf", archive, "-C", draft]);
    renameSync(join(draft, "package"), directory);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

async function run(command: string[]): Promise<void> {
  const child = Bun.spawn(command, { cwd: ROOT, stdout: "ignore", stderr: "inherit" });
  if ((await child.exited) !== 0) throw new Error(`${command.slice(0, 2).join(" ")} failed`);
}
