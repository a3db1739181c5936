import { parseArgs } from "node:util";
import { benches } from "./benches/all.ts";
import type { Bench } from "./benches/bench-definition.ts";
import { ensureBenchPrograms } from "./programs.ts";
import { formatTable } from "./report.ts";
import { Stage } from "./stage.ts";

const HELP = `Usage: npm run bench -- [--only NAME]… [--quick]

Measures Kurz beside nginx, bare SQLite, bare PostgreSQL and itself, and prints a table of ratios (docs/benchmarks.md).

  --only NAME   only this benchmark; may be repeated
  --quick       fewer rounds, and 100 000 links instead of a million
  --help        this text

Benchmarks:
${benches.map(({ name, about }) => `  ${name.padEnd(16)} ${about}`).join("\n")}
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string", multiple: true },
      quick: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  const unknown = values.only?.filter((name) => !benches.some((bench) => bench.name === name)) ?? [];
  if (unknown.length > 0) {
    process.stderr.write(`There is no benchmark "${unknown.join('", "')}".\n\n${HELP}`);
    return 1;
  }
  await ensureBenchPrograms();
  return run(
    benches.filter(({ name, onlyByName = false }) => values.only?.includes(name) ?? !onlyByName),
    values.quick,
  );
}

async function run(chosen: readonly Bench[], isQuick: boolean): Promise<number> {
  const stage = new Stage(isQuick);
  // An interrupted run must not leave its servers behind.
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => void stage.close().finally(() => process.exit(1)));
  }
  const started = performance.now();
  try {
    for (const { name, about, run } of chosen) {
      const from = performance.now();
      process.stderr.write(`${name}: ${about}\n`);
      const rows = await run(stage);
      process.stdout.write(`\n${formatTable(rows)}\n`);
      stage.say(`${name} took ${((performance.now() - from) / 1000).toFixed(0)} s`);
    }
  } finally {
    await stage.close();
  }
  process.stderr.write(`All in ${((performance.now() - started) / 1000).toFixed(0)} s\n`);
  return 0;
}

process.exit(await main());
