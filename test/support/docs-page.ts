import { readFileSync } from "node:fs";
import { join } from "node:path";
import { DOCS_DIST } from "#docs-page/docs-files.ts";
import type { DocsManifest } from "#shared/docs-manifest.ts";

const manifest: DocsManifest = JSON.parse(readFileSync(join(DOCS_DIST, "manifest.json"), "utf8"));

/** The paths of all pages of the documentation, as built. */
export const docsPaths: readonly string[] = Object.keys(manifest.pages);
export const docsAssets = manifest.assets;
