import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import tailwind from "bun-plugin-tailwind";
import { CONSOLE_DIST, type ConsoleManifest, MANIFEST_FILE } from "../src/console-server/console-manifest.ts";
import { bundleContract } from "./bundle-contract.ts";

const app = (file: string): string => join(import.meta.dir, "app", file);

/** Bundles the console aside and puts it in place at once, so that a reader never meets half of it. */
export async function buildConsole(): Promise<ConsoleManifest> {
  const aside = `${CONSOLE_DIST}.${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const shared = {
    outdir: aside,
    target: "browser",
    minify: true,
    naming: { entry: "[name].[hash].[ext]", chunk: "chunk.[hash].[ext]", asset: "[name].[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  } as const;
  const built = await Promise.all([
    Bun.build({ ...shared, entrypoints: [app("main.tsx")], splitting: true, plugins: [tailwind, bundleContract] }),
    // On its own: it runs before the first paint, as a plain script that must not wait for another file.
    Bun.build({ ...shared, entrypoints: [app("theme-boot.ts")] }),
    Bun.build({ ...shared, entrypoints: [app("favicon.svg")], loader: { ".svg": "file" } }),
  ]);
  const outputs = built.flatMap((build) => build.outputs.map(({ path }) => basename(path)));
  const named = (pattern: RegExp): string => {
    const found = outputs.find((file) => pattern.test(file));
    if (found === undefined) throw new Error(`the bundle has no file ${pattern}`);
    return found;
  };
  const manifest = {
    script: named(/^main\.\w+\.js$/),
    theme: named(/^theme-boot\.\w+\.js$/),
    style: named(/^main\.\w+\.css$/),
    icon: named(/^favicon\.\w+\.svg$/),
    files: outputs.filter((file) => !/^favicon\.\w+\.js$/.test(file)),
  };
  writeFileSync(join(aside, MANIFEST_FILE), JSON.stringify(manifest));
  rmSync(CONSOLE_DIST, { recursive: true, force: true });
  renameSync(aside, CONSOLE_DIST);
  return manifest;
}
