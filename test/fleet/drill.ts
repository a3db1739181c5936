import { parseArgs } from "node:util";
import { ensurePrograms } from "../../scripts/prerequisites.ts";
import { runFaults } from "./drill-faults.ts";
import { runPromises } from "./drill-promises.ts";

const HELP = `Usage: npm run drill:cluster -- [--only promises|faults] [--quick]

Starts three nodes with PostgreSQL and Redis, and shows what they promise each other under load (promises), and what
visitors and clients notice while a part is away (faults). Each node has a network of its own, so only root can run it.

  --only PART   only one of the two
  --quick       fewer repetitions, and faults of five seconds instead of thirty
  --help        this text
`;

/** Set for the process that runs in a network of its own, in which addresses can't collide with others. */
const INSIDE = "KURZ_DRILL_INSIDE";

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      only: { type: "string" },
      quick: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    return 0;
  }
  if (values.only !== undefined && !/^(?:promises|faults)$/.test(values.only)) {
    process.stderr.write(`There is no part "${values.only}".\n\n${HELP}`);
    return 1;
  }
  if (process.env[INSIDE] !== "1") return runInside();
  const problems = [
    ...(values.only === "faults" ? [] : await runPromises(values.quick)),
    ...(values.only === "promises" ? [] : await runFaults(values.quick)),
  ];
  for (const problem of problems) process.stderr.write(`PROBLEM: ${problem}\n`);
  return problems.length === 0 ? 0 : 1;
}

async function runInside(): Promise<number> {
  await ensurePrograms(["ip", "nsenter", "ps", "redis-server", "/usr/lib/postgresql/*/bin/postgres"]);
  const child = Bun.spawn(["unshare", "--net", process.execPath, import.meta.path, ...Bun.argv.slice(2)], {
    env: { ...process.env, [INSIDE]: "1" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  // An interrupted run must not leave its servers behind.
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => child.kill(signal));
  return child.exited;
}

process.exit(await main());
