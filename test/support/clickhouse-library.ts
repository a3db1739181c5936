import { existsSync } from "node:fs";
import { join } from "node:path";
import lock from "../clickhouse/package-lock.json" with { type: "json" };

export const CLICKHOUSE_DIRECTORY = join(import.meta.dir, "..", "clickhouse");
const INSTALL_TIMEOUT_MS = 240_000;

/**
 * A command that runs Node for x64, on machines that chdb has no library for: an emulator. Nothing else in the tests
 * depends on it.
 */
export const X64_NODE = process.env.KURZ_TEST_X64_NODE;

const ARCH = X64_NODE ? "x64" : process.arch;
const LIBRARY = `@chdb/lib-${process.platform}-${ARCH}-gnu`;

/** Why ClickHouse can't run here, as a line for people; `null` if it can. */
export const clickHouseMissing = Object.hasOwn(lock.packages, `node_modules/${LIBRARY}`)
  ? null
  : `Not tested: clicks on ClickHouse, because npm has no ${LIBRARY} (see "Tests on ClickHouse" in CONTRIBUTING.md).`;

/** Set by `npm test`, which says once for all files what is left out. */
const NOTED = "TESTS_NOTED_CLICKHOUSE";
export const isClickHouseNoted = (): boolean => process.env[NOTED] === "1";
export function noteClickHouse(): void {
  process.env[NOTED] = "1";
}

/** Fetches the library unless it is there. Files that run in parallel must not do so at the same time. */
export async function installClickHouse(): Promise<void> {
  if (existsSync(join(CLICKHOUSE_DIRECTORY, "node_modules", LIBRARY))) return;
  const child = Bun.spawn(["npm", "ci", `--cpu=${ARCH}`], {
    cwd: CLICKHOUSE_DIRECTORY,
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
    timeout: INSTALL_TIMEOUT_MS,
  });
  const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`"npm ci" in test/clickhouse ended with ${exitCode}: ${stderr}`);
}
