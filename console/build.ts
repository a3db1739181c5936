import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import tailwind from "bun-plugin-tailwind";
import { CONSOLE_DIST, type ConsoleManifest, MANIFEST_FILE } from "../src/console-server/console-manifest.ts";

/** Bundles the console aside and puts it in place at once, so that a reader never meets half of it. */
export async function buildConsole(): Promise<ConsoleManifest> {
  const aside = `${CONSOLE_DIST}.${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const built = await Bun.build({
    entrypoints: [join(import.meta.dir, "app", "main.tsx"), join(import.meta.dir, "app", "theme-boot.ts")],
    outdir: aside,
    target: "browser",
    splitting: true,
    minify: true,
    naming: { entry: "[name].[hash].[ext]", chunk: "chunk.[hash].[ext]", asset: "[name].[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [tailwind],
  });
  const files = built.outputs.map(({ path }) => basename(path));
  const named = (pattern: RegExp): string => {
    const found = files.find((file) => pattern.test(file));
    if (found === undefined) throw new Error(`the bundle has no file ${pattern}`);
    return found;
  };
  const manifest = {
    script: named(/^main\.\w+\.js$/),
    theme: named(/^theme-boot\.\w+\.js$/),
    style: named(/^main\.\w+\.css$/),
    files,
  };
  writeFileSync(join(aside, MANIFEST_FILE), JSON.stringify(manifest));
  rmSync(CONSOLE_DIST, { recursive: true, force: true });
  renameSync(aside, CONSOLE_DIST);
  return manifest;
}
