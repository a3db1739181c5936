import { mkdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { MANIFEST_FILE } from "#shared/console-manifest.ts";
import type { DocsManifest } from "#shared/docs-manifest.ts";
import { bundleReference, bundleSite, rendererLicences } from "./bundles.ts";
import { type Entry, entriesOf, INDEX_FILE, parseNavigation } from "./navigation.ts";
import { operationSections } from "./operation-sections.ts";
import { type PageParts, renderLayout } from "./page-layout.ts";
import { convertPicture, picturesIn } from "./pictures.ts";
import { MISSING_CONTENT, REFERENCE_CONTENT } from "./reference-page.ts";
import { type Picture, renderMarkdown } from "./render-markdown.ts";
import { searchSections } from "./search-sections.ts";
import { SiteFiles } from "./site-files.ts";
import { REFERENCE_PATH, START_PATH, targetOf } from "./site-paths.ts";
import { renderStart } from "./start-page.ts";

const ROOT = join(import.meta.dir, "..");
const read = (file: string): string => readFileSync(join(ROOT, file), "utf8");

/** Builds beside the directory and then replaces it, so that no reader sees half a site. */
export async function buildDocs(directory: string): Promise<DocsManifest> {
  const aside = `${directory}.${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const files = new SiteFiles(aside);
  const navigation = parseNavigation(read(INDEX_FILE));
  const entries = entriesOf(navigation);
  const pages = entries
    .filter(({ path }) => path !== REFERENCE_PATH)
    .map((entry) => ({ entry, markdown: read(entry.file) }));
  const searchIndex = files.addAsset("search.json", JSON.stringify(indexOf(pages)));
  const assets = { ...(await bundleSite(files)), searchIndex };
  const reference = await bundleReference(files);
  const pictures = await addPictures(files, pages);
  const onSite = new Set([INDEX_FILE, ...entries.map(({ file }) => file)]);
  const layout = (name: string, parts: PageParts): [string, string] => [
    parts.path,
    files.write(`${name}.html`, renderLayout(parts, { navigation, assets })),
  ];
  const neighbours = ({ path }: Pick<Entry, "path">) => {
    const at = entries.findIndex((entry) => entry.path === path);
    return { previous: entries[at - 1], next: entries[at + 1] };
  };
  const textPages = pages.map(({ entry, markdown }) => {
    const { html, headings } = renderMarkdown(markdown, {
      file: entry.file,
      isOnSite: (file) => onSite.has(file),
      pictureOf(file) {
        const picture = pictures.get(file);
        if (!picture) throw new Error(`${entry.file} shows ${file}, which isn't a screenshot`);
        return picture;
      },
    });
    const name = entry.path.slice(START_PATH.length + 1);
    const { title, path } = entry;
    return layout(name, { kind: "text", title, path, content: html, headings, ...neighbours(entry) });
  });
  const none = { headings: [] } as const;
  const start = { title: navigation.title, path: START_PATH, content: renderStart(navigation), ...none };
  const referencePage = {
    title: "API reference",
    path: REFERENCE_PATH,
    content: REFERENCE_CONTENT,
    reference,
    ...none,
  };
  const [, missing] = layout("missing", {
    kind: "text",
    title: "Not found",
    path: "",
    content: MISSING_CONTENT,
    ...none,
  });
  const manifest: DocsManifest = {
    pages: Object.fromEntries([
      layout("index", { kind: "start", ...start }),
      layout("api", { kind: "wide", ...referencePage, ...neighbours(referencePage) }),
      ...textPages,
    ]),
    missing,
    texts: { "/docs/licences.txt": files.write("licences.txt", rendererLicences()) },
    assets: files.assets,
  };
  files.write(MANIFEST_FILE, JSON.stringify(manifest));
  rmSync(directory, { recursive: true, force: true });
  renameSync(aside, directory);
  return manifest;
}

interface SourcePage {
  readonly entry: Entry;
  readonly markdown: string;
}

const indexOf = (pages: readonly SourcePage[]) => [
  ...pages.flatMap(({ entry, markdown }) => searchSections(markdown, entry)),
  ...operationSections(),
];

async function addPictures(files: SiteFiles, pages: readonly SourcePage[]): Promise<ReadonlyMap<string, Picture>> {
  const wanted = new Set(
    pages.flatMap(({ entry, markdown }) => picturesIn(markdown).map((path) => targetOf(entry.file, path))),
  );
  const pictures = new Map<string, Picture>();
  for (const file of wanted) {
    const { bytes, ...size } = await convertPicture(ROOT, file);
    const name = file.slice(file.lastIndexOf("/") + 1).replace(/\.png$/, ".webp");
    pictures.set(file, { ...size, src: files.addAsset(name, bytes) });
  }
  return pictures;
}
