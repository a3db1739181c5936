import { join } from "node:path";
import { archivePage } from "#account-export/archive-page.ts";
import { privacyPage } from "#clicks/privacy-page.ts";
import { commandsMarkdown } from "#commands/commands-page.ts";
import { configurationPage } from "#config/configuration-page.ts";
import { operationsPage } from "#console-server/operations-page.ts";
import { openApiDocument } from "#contract/openapi.ts";
import { pythonSources } from "../python/generate.ts";
import { sdkSource } from "../sdk/generate.ts";
import { thirdPartyLicences } from "./licences/third-party-licences.ts";

interface GeneratedFile {
  readonly path: string;
  readonly content: () => string;
}

/** Every committed file that is generated from the source. */
const generatedFiles: readonly GeneratedFile[] = [
  {
    path: "docs/openapi.json",
    content: () => `${JSON.stringify(openApiDocument({ baseUrl: "https://s.example" }), null, 2)}\n`,
  },
  { path: "docs/configuration.md", content: configurationPage },
  { path: "docs/commands.md", content: commandsMarkdown },
  { path: "docs/console-operations.md", content: operationsPage },
  { path: "docs/archive.md", content: archivePage },
  { path: "PRIVACY.md", content: privacyPage },
  { path: "sdk/src/generated.ts", content: () => sdkSource() },
  { path: "python/src/kurz/types.py", content: () => pythonSources().types },
  { path: "python/src/kurz/_operations.py", content: () => pythonSources().operations },
  { path: "python/src/kurz/_resources.py", content: () => pythonSources().resources },
  { path: "THIRD_PARTY_LICENSES", content: thirdPartyLicences },
];

const ROOT = join(import.meta.dir, "..");

async function findStaleFiles(): Promise<{ readonly path: string; readonly text: string }[]> {
  const files = await Promise.all(
    generatedFiles.map(async ({ path, content }) => {
      const file = Bun.file(join(ROOT, path));
      return { path, text: content(), committed: (await file.exists()) ? await file.text() : undefined };
    }),
  );
  return files.filter(({ text, committed }) => text !== committed);
}

if (import.meta.main) {
  const stale = await findStaleFiles();
  if (process.argv.includes("--check")) {
    for (const { path } of stale) process.stderr.write(`${path} is out of date; run npm run generate\n`);
    process.exitCode = stale.length > 0 ? 1 : 0;
  } else {
    for (const { path, text } of stale) {
      await Bun.write(join(ROOT, path), text);
      process.stdout.write(`wrote ${path}\n`);
    }
  }
}
