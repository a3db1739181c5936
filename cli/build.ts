import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundleScript } from "../scripts/bundle-script.ts";

/** Early versions of Node 20 only have `require`, which ES modules don't have. */
const BUILT_IN = "var builtIn = process.getBuiltinModule ?? require;";

/** What is in the file besides our own code. */
const QR_LICENCE = join(dirname(Bun.resolveSync("qr/package.json", import.meta.dir)), "LICENSE-MIT");

/**
 * One file with everything in it, for Node and Bun. A file without an ending is a CommonJS or an ES module, depending on
 * the package.json of the directory that it happens to be in, so it is written to be both.
 */
export async function buildCli(file: string): Promise<void> {
  const script = await bundleScript({
    entry: join(import.meta.dir, "src", "main.ts"),
    format: "cjs",
    target: "node",
    banner: ["#!/usr/bin/env node", licences(), BUILT_IN].join("\n"),
  });
  writeFileSync(file, script.replaceAll('require("node:', 'builtIn("node:'));
  chmodSync(file, 0o755);
}

/** The file is passed on alone, so it has the texts in it. */
function licences(): string {
  const own = readFileSync(join(import.meta.dir, "LICENSE"), "utf8").trim();
  return `/*!\n${own}\n\nThis file includes the package qr:\n\n${readFileSync(QR_LICENCE, "utf8").trim()}\n*/`;
}

if (import.meta.main) await buildCli(join(import.meta.dir, "kurz"));
