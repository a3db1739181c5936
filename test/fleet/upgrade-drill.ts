import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { ensurePrograms } from "../../scripts/prerequisites.ts";
import { formatTable } from "./markdown-table.ts";
import { runUpgrade } from "./upgrade-run.ts";

const HELP = `Usage: npm run drill:upgrade -- DIRECTORY

Upgrades two nodes with PostgreSQL and Redis to this release, one after another, while visitors come. DIRECTORY has the
release before, installed as the docs say (git worktree add, npm ci). Shows what its nodes can still do once a new one has
migrated the database, and that every click counts once. Takes a minute or two.

  --help   this text
`;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { help: { type: "boolean" } } });
  const [directory] = positionals;
  if (values.help || directory === undefined || positionals.length > 1) {
    process[values.help ? "stdout" : "stderr"].write(HELP);
    return values.help ? 0 : 1;
  }
  const before = resolve(directory);
  if (!existsSync(join(before, "src", "main.ts")) || !existsSync(join(before, "node_modules"))) {
    process.stderr.write(`${before} isn't an installed release of Kurz: it needs src/main.ts and node_modules.\n`);
    return 1;
  }
  await ensurePrograms(["ps", "redis-server", "/usr/lib/postgresql/*/bin/postgres"]);
  const { isShared, checks } = await runUpgrade({ before, onStep: (step) => process.stderr.write(`${step} …\n`) });
  const verdict = isShared ? "can be upgraded one after another" : "have to be stopped first";
  process.stdout.write(`\nNodes of the release before ${verdict}.\n\n`);
  process.stdout.write(
    formatTable(
      ["", "expected", "found"],
      checks.map(({ what, expected, found }) => [what, expected, found]),
    ),
  );
  const wrong = checks.filter(({ expected, found }) => expected !== found);
  for (const { what } of wrong) process.stderr.write(`PROBLEM: ${what}\n`);
  return wrong.length === 0 ? 0 : 1;
}

process.exit(
  await main().catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    return 1;
  }),
);
