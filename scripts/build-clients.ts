import { copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildCli } from "../cli/build.ts";
import { buildSdk } from "../sdk/build.ts";
import { CLIENTS_DIST } from "../src/docs-page/client-files.ts";
import { packPackage } from "./pack-package.ts";

const root = join(import.meta.dir, "..");

/** Builds beside the directory and then replaces it, so that no reader sees half a build. */
async function buildClients(directory: string): Promise<void> {
  const aside = `${directory}.${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  await packSdk(aside);
  await packCli(aside);
  rmSync(directory, { recursive: true, force: true });
  renameSync(aside, directory);
}

async function packSdk(directory: string): Promise<void> {
  const built = join(directory, "sdk");
  await buildSdk(built);
  const inSdk = (name: string): string => join(root, "sdk", name);
  const content = {
    "package.json": inSdk("package.json"),
    "README.md": inSdk("README.md"),
    LICENSE: inSdk("LICENSE"),
    dist: built,
  };
  writeFileSync(join(directory, "kurz-sdk.tgz"), packPackage({ content }));
  // For pages and Deno, which import from an address.
  copyFileSync(join(built, "esm", "index.js"), join(directory, "kurz-sdk.js"));
  rmSync(built, { recursive: true });
}

async function packCli(directory: string): Promise<void> {
  const program = join(directory, "kurz");
  await buildCli(program);
  const inCli = (name: string): string => join(root, "cli", name);
  const content = {
    "package.json": inCli("package.json"),
    "README.md": inCli("README.md"),
    LICENSE: inCli("LICENSE"),
    kurz: program,
  };
  writeFileSync(join(directory, "kurz-cli.tgz"), packPackage({ content, programs: ["kurz"] }));
}

const [, , directory = CLIENTS_DIST] = process.argv;
await buildClients(directory);
const sizes = readdirSync(directory).map(
  (name) => `${name} ${Math.round(statSync(join(directory, name)).size / 1000)} kB`,
);
process.stderr.write(`clients built: ${sizes.join(", ")}\n`);
