import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import tailwind from "bun-plugin-tailwind";
import { bundleContract } from "../bundle-contract.ts";
import { writeFlags } from "../country-flags.ts";
import { hashedFonts } from "../hashed-fonts.ts";

/** Builds the page that shows every component. It is for development only, and no part of the console. */
export async function buildGallery(directory: string): Promise<void> {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, "gallery.tsx")],
    outdir: directory,
    target: "browser",
    define: { "process.env.NODE_ENV": '"production"', FLAGS_URL: JSON.stringify(writeFlags(directory).folder) },
    plugins: [tailwind, bundleContract, hashedFonts(directory, new Set())],
  });
  const named = (ending: string): string => basename(outputs.find(({ path }) => path.endsWith(ending))?.path ?? "");
  writeFileSync(
    join(directory, "index.html"),
    `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Components · Kurz</title>
    <link rel="stylesheet" href="${named(".css")}">
    <script type="module" src="${named(".js")}"></script>
  </head>
  <body><div id="root"></div></body>
</html>
`,
  );
}
