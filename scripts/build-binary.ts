import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { version } from "../package.json";
import { SHIPPED_DIRECTORY, shippedFiles, shippedWorkers } from "../src/kernel/shipped-files.ts";
import { findPackage } from "./binary/platform-packages.ts";
import { stageLibrary } from "./binary/stage-library.ts";
import { type BinaryTarget, findTarget, ownTarget } from "./binary/targets.ts";

/*
 * Builds the one-file program: `npm run build:binary [-- DIRECTORY] [--target linux-x64]…`. By default for the processor
 * of this machine, into dist/binary. `npm run build` has to come first.
 */

const ROOT = join(import.meta.dir, "..");
const BINDINGS = join(ROOT, "src", "engines", "clicks", "duckdb", "unpacked-bindings.ts");
/** The only shipped files that are no part of a clone. */
const LIBRARY = "dist/library";

const { values, positionals } = parseArgs({
  options: { target: { type: "string", multiple: true } },
  allowPositionals: true,
});
const directory = resolve(positionals[0] ?? join(ROOT, "dist", "binary"));
const wanted = values.target?.map(findTarget) ?? [ownTarget()];

mkdirSync(directory, { recursive: true });
for (const target of wanted) {
  const path = await build(target);
  process.stderr.write(`${path}: ${(statSync(path).size / 1e6).toFixed(0)} MB\n`);
}

async function build(target: BinaryTarget): Promise<string> {
  // On the same file system, so that the result can be renamed.
  const draft = mkdtempSync(join(directory, ".draft-"));
  try {
    const path = join(directory, `kurz-${version}-${target.name}`);
    renameSync(await compile(target, draft), path);
    return path;
  } finally {
    rmSync(draft, { recursive: true });
  }
}

/** Leaves other files beside the program, such as source maps, which it also contains. */
async function compile(target: BinaryTarget, draft: string): Promise<string> {
  const outfile = join(draft, "kurz");
  await Bun.build({
    root: ROOT,
    entrypoints: ["src/main.ts", ...shippedWorkers].map((path) => join(ROOT, path)),
    target: "bun",
    // A redirect process then loads none of control's code.
    splitting: true,
    // Names stay, since logs and errors use some.
    minify: { whitespace: true, syntax: true, identifiers: false },
    sourcemap: "linked",
    plugins: [
      {
        name: "bindings from the unpacked library",
        setup: (build) => void build.onResolve({ filter: /^@duckdb\/node-bindings$/ }, () => ({ path: BINDINGS })),
      },
    ],
    compile: {
      target: target.bun,
      executablePath: await findRuntime(target),
      outfile,
      assets: [await stageFiles(target, join(draft, SHIPPED_DIRECTORY))],
      // Files of other programs that happen to be in the current directory.
      autoloadDotenv: false,
      autoloadBunfig: false,
    },
  });
  return outfile;
}

/** Bun would download the one for another processor from its own site; npm has it, too, and a checksum for it. */
async function findRuntime(target: BinaryTarget): Promise<string> {
  return target === ownTarget() ? process.execPath : join(await findPackage(target.runtime), "bin", "bun");
}

/** Only directories are embedded with the paths below them. */
async function stageFiles(target: BinaryTarget, staged: string): Promise<string> {
  for (const path of shippedFiles) {
    if (path === LIBRARY) await stageLibrary(await findPackage(target.bindings), join(staged, path));
    else cpSync(join(ROOT, path), join(staged, path), { recursive: true });
  }
  return staged;
}
