import { copyFileSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import tailwind from "bun-plugin-tailwind";
import { type ConsoleLanguage, consoleLanguages } from "#shared/console-languages.ts";
import { BROTLI_ENDING, type ConsoleEntry, type ConsoleManifest, MANIFEST_FILE } from "#shared/console-manifest.ts";
import { bundleContract } from "./bundle-contract.ts";
import { FLAGS_LICENCE, writeFlags } from "./country-flags.ts";
import { hashedFonts } from "./hashed-fonts.ts";
import { textsOf } from "./texts-of.ts";

const app = (file: string): string => join(import.meta.dir, "app", file);
const share = (file: string): string => join(import.meta.dir, "share", file);

// One below the highest, which takes more than twice as long and saves another 1 %.
const BROTLI_QUALITY = 10;

/** Bundles beside the directory and then replaces it, so that no reader sees half a build. */
export async function buildConsole(directory: string): Promise<ConsoleManifest> {
  const aside = `${directory}.${process.pid}`;
  rmSync(aside, { recursive: true, force: true });
  mkdirSync(aside, { recursive: true });
  const flags = writeFlags(aside);
  const shared = {
    outdir: aside,
    target: "browser",
    minify: true,
    naming: { entry: "[name].[hash].[ext]", chunk: "chunk.[hash].[ext]", asset: "[name].[hash].[ext]" },
    define: {
      "process.env.NODE_ENV": '"production"',
      FLAGS_URL: JSON.stringify(`/console/assets/${flags.folder}`),
    },
  } as const;
  const fonts = new Set<string>();
  const bundle = (entry: string) =>
    Promise.all(
      consoleLanguages.map(async (language) => {
        const built = await Bun.build({
          ...shared,
          entrypoints: [entry],
          splitting: true,
          plugins: [tailwind, bundleContract, textsOf(language), hashedFonts(aside, fonts)],
        });
        return { language, files: namesOf(built) };
      }),
    );
  const bundles = await bundle(app("main.tsx"));
  // Strangers see it, so it has bundles of its own: without anything of the console but its reports.
  const shareBundles = await bundle(share("share.tsx"));
  // Separate: they are part of the pages themselves, since they run before the first paint.
  const boot = await Bun.build({ ...shared, entrypoints: [app("boot.ts")], format: "iife" });
  const shareBoot = await Bun.build({ ...shared, entrypoints: [share("share-boot.ts")], format: "iife" });
  const favicon = await Bun.build({ ...shared, entrypoints: [app("favicon.svg")], loader: { ".svg": "file" } });
  const icon = findName(namesOf(favicon), /^favicon\.\w+\.svg$/);
  const bundled = [...bundles, ...shareBundles].flatMap((each) => each.files);
  const files = new Set([...bundled, ...namesOf(boot), ...namesOf(shareBoot), icon, ...fonts]);
  const manifest: ConsoleManifest = {
    pages: entriesOf(bundles, "main"),
    boot: findName(namesOf(boot), /^boot\.\w+\.js$/),
    share: {
      pages: entriesOf(shareBundles, "share"),
      boot: findName(namesOf(shareBoot), /^share-boot\.\w+\.js$/),
    },
    font: findName([...fonts], /^geist-latin-wght-normal\.\w+\.woff2$/),
    icon,
    files: [...files, ...flags.files],
  };
  // Flags are too small to be worth it.
  for (const file of files) if (/\.(?:js|css|svg)$/.test(file)) compress(join(aside, file));
  // Anyone who passes these on must include their licences, and the packages may be removed after the build.
  copyFileSync(
    Bun.resolveSync("@fontsource-variable/geist/LICENSE", import.meta.dir),
    join(aside, "geist-license.txt"),
  );
  copyFileSync(FLAGS_LICENCE, join(aside, "country-flags-license.txt"));
  writeFileSync(join(aside, MANIFEST_FILE), JSON.stringify(manifest));
  rmSync(directory, { recursive: true, force: true });
  renameSync(aside, directory);
  return manifest;
}

interface Bundle {
  readonly language: ConsoleLanguage;
  readonly files: readonly string[];
}

/** What the page of each language loads first. */
function entriesOf(bundles: readonly Bundle[], name: string): Record<ConsoleLanguage, ConsoleEntry> {
  const nameOf = (files: readonly string[], type: string) => findName(files, new RegExp(`^${name}\\.\\w+\\.${type}$`));
  const entries = bundles.map(({ language, files }): [ConsoleLanguage, ConsoleEntry] => [
    language,
    { script: nameOf(files, "js"), style: nameOf(files, "css") },
  ]);
  return Object.fromEntries(entries) as Record<ConsoleLanguage, ConsoleEntry>;
}

const namesOf = ({ outputs }: Bun.BuildOutput): readonly string[] => outputs.map(({ path }) => basename(path));

function findName(files: readonly string[], pattern: RegExp): string {
  const found = files.find((file) => pattern.test(file));
  if (found === undefined) throw new Error(`the bundle has no file ${pattern}`);
  return found;
}

function compress(path: string): void {
  const plain = readFileSync(path);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: plain.length,
  };
  writeFileSync(`${path}${BROTLI_ENDING}`, brotliCompressSync(plain, { params }));
}
