import { copyFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import tailwind from "bun-plugin-tailwind";
import { type ConsoleManifest, MANIFEST_FILE } from "#shared/console-manifest.ts";
import { bundleContract } from "./bundle-contract.ts";
import { hashedFonts } from "./hashed-fonts.ts";

const app = (file: string): string => join(import.meta.dir, "app", file);

/** Bundles beside the directory and then replaces it, so that no reader sees half a build. */
export async function buildConsole(directory: string): Promise<ConsoleManifest> {
  const aside = `${directory}.${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const shared = {
    outdir: aside,
    target: "browser",
    minify: true,
    naming: { entry: "[name].[hash].[ext]", chunk: "chunk.[hash].[ext]", asset: "[name].[hash].[ext]" },
    define: { "process.env.NODE_ENV": '"production"' },
  } as const;
  const fonts = new Set<string>();
  const built = await Promise.all([
    Bun.build({
      ...shared,
      entrypoints: [app("main.tsx")],
      splitting: true,
      plugins: [tailwind, bundleContract, hashedFonts(aside, fonts)],
    }),
    // Separate: it is part of the page itself, since it runs before the first paint.
    Bun.build({ ...shared, entrypoints: [app("theme-boot.ts")], format: "iife" }),
    Bun.build({ ...shared, entrypoints: [app("favicon.svg")], loader: { ".svg": "file" } }),
  ]);
  const outputs = [...built.flatMap((build) => build.outputs.map(({ path }) => basename(path))), ...fonts];
  const named = (pattern: RegExp): string => {
    const found = outputs.find((file) => pattern.test(file));
    if (found === undefined) throw new Error(`the bundle has no file ${pattern}`);
    return found;
  };
  const manifest = {
    script: named(/^main\.\w+\.js$/),
    theme: named(/^theme-boot\.\w+\.js$/),
    style: named(/^main\.\w+\.css$/),
    font: named(/^geist-latin-wght-normal\.\w+\.woff2$/),
    icon: named(/^favicon\.\w+\.svg$/),
    files: outputs.filter((file) => !/^favicon\.\w+\.js$/.test(file)),
  };
  // Whoever passes the font on must pass on its licence, too, and the package may be removed after the build.
  copyFileSync(
    Bun.resolveSync("@fontsource-variable/geist/LICENSE", import.meta.dir),
    join(aside, "geist-license.txt"),
  );
  writeFileSync(join(aside, MANIFEST_FILE), JSON.stringify(manifest));
  rmSync(directory, { recursive: true, force: true });
  renameSync(aside, directory);
  return manifest;
}
