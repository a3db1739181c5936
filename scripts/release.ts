import { join } from "node:path";
import { parseArgs } from "node:util";
import { artefacts, BILL } from "./release/artefacts.ts";
import { SUMS_FILE } from "./release/checksums.ts";
import { dateOf, makeRelease } from "./release/make-release.ts";
import { NotReleasable, planRelease, type ReleasePlan } from "./release/release-plan.ts";
import { versionPlaces } from "./release/version-places.ts";

const HELP = `Usage: npm run release -- [VERSION] [--write]

Makes a release: sets the version, cuts the changelog, builds everything that people download, adds up checksums, and
tags the commit. Without --write it only says what it would do. Nothing is ever pushed.

  VERSION   such as 1.2.3, or major, minor or patch. By default minor if the changelog lists anything but fixes.
  --write   do it
  --help    this text
`;

const say = (text: string): unknown => process.stdout.write(`${text}\n`);

function describe({ current, version, tag, directory, notes, ...plan }: ReleasePlan): string {
  const lines = notes.split("\n").filter((line) => line.startsWith("- ")).length;
  return `Kurz ${current} → ${version}

  Version    set in ${versionPlaces.map(({ path }) => path).join(", ")}
  Changelog  "Unreleased" becomes "${version} - ${dateOf(plan)}" (${lines} entries)
  Files      in ${directory}: ${[...artefacts.map(({ what }) => what), BILL, "release notes", SUMS_FILE].join(", ")}
  Commit     chore(release): ${version}
  Tag        ${tag}
`;
}

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { write: { type: "boolean" }, help: { type: "boolean" } },
  });
  if (values.help || positionals.length > 1) {
    process[values.help ? "stdout" : "stderr"].write(HELP);
    return values.help ? 0 : 2;
  }
  const plan = await planRelease(join(import.meta.dir, ".."), positionals[0], new Date());
  say(describe(plan));
  if (!values.write) {
    say(`Nothing was changed. To do it: npm run release -- ${plan.version} --write`);
    return 0;
  }
  const files = await makeRelease(plan, { artefacts, onStep: (step) => say(`${step} …`) });
  say(`\nKurz ${plan.version} is committed and tagged, and its files are in ${plan.directory}:`);
  for (const file of [...files, SUMS_FILE]) say(`  ${file}`);
  say(`\nTry them, then publish: git push --follow-tags`);
  say(`To take it back before that: git tag -d ${plan.tag} && git reset --hard HEAD^ && rm -r ${plan.directory}`);
  return 0;
}

process.exit(
  await main().catch((error: unknown) => {
    const isRefusal = error instanceof NotReleasable;
    const reasons = isRefusal ? error.reasons : [error instanceof Error ? error.message : String(error)];
    process.stderr.write(
      `${isRefusal ? "" : "Nothing was released, and everything is as before.\n"}${reasons.join("\n")}\n`,
    );
    return 1;
  }),
);
