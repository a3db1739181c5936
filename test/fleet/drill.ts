import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensurePrograms } from "../../scripts/prerequisites.ts";
import { runFaults } from "./faults-part.ts";
import { runPromises } from "./promises-part.ts";

const HELP = `Usage: npm run drill:cluster -- [--only promises|faults] [--quick]

Starts three nodes with PostgreSQL and Redis, and shows what they promise each other under load (promises), and what
visitors and clients notice while a part is away (faults). Each node has a network of its own, so only root can run it.

  --only PART   only one of the two
  --quick       fewer repetitions, and faults of five seconds instead of thirty
  --help        this text
`;

/** Set for the process that runs in namespaces of its own, to the directory with everything that its servers write. */
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
  const directory = process.env[INSIDE];
  if (directory === undefined) return runInside();
  // However the outer process ends, this one notices.
  void Bun.stdin.text().then(() => end(directory, 1));
  const problems = [
    ...(values.only === "faults" ? [] : await runPromises(values.quick)),
    ...(values.only === "promises" ? [] : await runFaults(values.quick)),
  ].map((problem) => `PROBLEM: ${problem}\n`);
  process.stderr.write(problems.join(""));
  return problems.length === 0 ? 0 : 1;
}

/**
 * In a network of its own, addresses can't collide with others; among processes of its own, none outlives the first one,
 * which is the drill.
 */
async function runInside(): Promise<number> {
  await ensurePrograms(["ip", "nsenter", "ps", "redis-server", "/usr/lib/postgresql/*/bin/postgres"]);
  const directory = mkdtempSync(join(tmpdir(), "kurz-drill-"));
  // PostgreSQL doesn't run as root.
  chmodSync(directory, 0o755);
  const namespaces = ["unshare", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"];
  const child = Bun.spawn([...namespaces, process.execPath, import.meta.path, ...Bun.argv.slice(2)], {
    env: { ...process.env, [INSIDE]: directory, TMPDIR: directory },
    stdio: ["pipe", "inherit", "inherit"],
  });
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void child.stdin.end());
  return child.exited;
}

/** Servers that are left have to end before their files can be deleted. */
function end(directory: string, code: number): never {
  try {
    process.kill(-1, "SIGKILL");
  } catch {
    // There was none.
  }
  rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  process.exit(code);
}

const code = await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
  return 1;
});
const directory = process.env[INSIDE];
if (directory === undefined) process.exit(code);
end(directory, code);
