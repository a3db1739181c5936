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
  const bundles = await Promise.all(
    consoleLanguages.map(async (language) => {
      const built = await Bun.build({
        ...shared,
        entrypoints: [app("main.tsx")],
        splitting: true,
        plugins: [tailwind, bundleContract, textsOf(language), hashedFonts(aside, fonts)],
      });
      return { language, files: namesOf(built) };
    }),
  );
  // Separate: it is part of the page itself, since it runs before the first paint.
  const boot = await Bun.build({ ...shared, entrypoints: [app("boot.ts")], format: "iife" });
  const favicon = await Bun.build({ ...shared, entrypoints: [app("favicon.svg")], loader: { ".svg": "file" } });
  const entries = bundles.map(({ language, files }): [ConsoleLanguage, ConsoleEntry] => [
    language,
    { script: findName(files, /^main\.\w+\.js$/), style: findName(files, /^main\.\w+\.css$/) },
  ]);
  const icon = findName(namesOf(favicon), /^favicon\.\w+\.svg$/);
  const files = new Set([...bundles.flatMap((bundle) => bundle.files), ...namesOf(boot), icon, ...fonts]);
  const manifest: ConsoleManifest = {
    pages: Object.fromEntries(entries) as Record<ConsoleLanguage, ConsoleEntry>,
    boot: findName(namesOf(boot), /^boot\.\w+\.js$/),
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
