import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { BunPlugin } from "bun";
import tailwind from "bun-plugin-tailwind";
import { fontName } from "../console/hashed-fonts.ts";
import type { ReferenceAssets, SiteAssets } from "./page-layout.ts";
import type { SiteFiles } from "./site-files.ts";

const here = (file: string): string => join(import.meta.dir, file);
const FONT = "@fontsource-variable/geist/files/geist-latin-wght-normal.woff2";

/** The console serves the fonts; a browser that has them from there doesn't load them again. */
const consoleFont = (source: string): string => `/console/assets/${fontName(source, readFileSync(source))}`;

const consoleFonts: BunPlugin = {
  name: "console-fonts",
  setup(build) {
    build.onResolve({ filter: /\.woff2$/ }, ({ path, importer }) => ({
      path: consoleFont(Bun.resolveSync(path, dirname(importer))),
      external: true,
    }));
  },
};

async function bundle(entry: string, format: "esm" | "iife" = "esm"): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [here(entry)],
    target: "browser",
    format,
    minify: true,
    plugins: [tailwind, consoleFonts],
  });
  const [output] = outputs;
  if (!output) throw new Error(`${entry} has no bundle`);
  return output.text();
}

/** Everything that pages load, apart from the search index. */
export async function bundleSite(files: SiteFiles): Promise<Omit<SiteAssets, "searchIndex">> {
  return {
    style: files.addAsset("site.css", await bundle("site.css")),
    script: files.addAsset("site.js", await bundle("client/site.ts")),
    theme: files.addAsset("theme.js", await bundle("client/theme.ts", "iife")),
    font: consoleFont(Bun.resolveSync(FONT, import.meta.dir)),
    icon: files.addAsset("favicon.svg", readFileSync(here("../console/app/favicon.svg"))),
  };
}

export async function bundleReference(files: SiteFiles): Promise<ReferenceAssets> {
  return {
    rendererScript: files.addAsset("renderer.js", readRenderer("swagger-ui-bundle.js")),
    rendererStyle: files.addAsset("renderer.css", withOwnFonts(readRenderer("swagger-ui.css").toString())),
    script: files.addAsset("reference.js", await bundle("client/reference.ts", "iife")),
    style: files.addAsset("reference.css", await bundle("reference.css")),
  };
}

/** Each of its many rules names a font; Apache-2.0 section 4 requires saying that the file was changed. */
const withOwnFonts = (style: string): string =>
  `/* Changed for Kurz: its fonts. */${style
    .replace(/font-family:sans-serif(?=[;}])/g, "font-family:var(--font-sans)")
    .replace(/font-family:monospace(?:,monospace)?(?=[;}])/g, "font-family:var(--font-mono)")}`;

const readRenderer = (name: string): Buffer =>
  readFileSync(Bun.resolveSync(`swagger-ui-dist/${name}`, import.meta.dir));

/** Apache-2.0 section 4 requires distributing the renderer with its license and notice. */
export const rendererLicences = (): string =>
  ["NOTICE", "LICENSE", "swagger-ui-bundle.js.LICENSE.txt"]
    .map((name) => new TextDecoder().decode(readRenderer(name)).trim())
    .join("\n\n");
