import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildDocs } from "../docs-site/build.ts";
import { DOCS_DIST } from "../src/docs-page/docs-files.ts";

const { pages, assets } = await buildDocs(DOCS_DIST);
const bytes = readdirSync(DOCS_DIST).reduce((sum, name) => sum + statSync(join(DOCS_DIST, name)).size, 0);
process.stderr.write(
  `documentation built: ${Object.keys(pages).length} pages, ${assets.length} other files, ${Math.round(bytes / 1000)} kB\n`,
);
