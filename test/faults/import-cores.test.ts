import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { codeOf } from "#kernel/error-codes.ts";
import { coresOf } from "#kernel/thread-cores.ts";
import { readRecords } from "#test/support/change-records.ts";
import { spawnedKurz } from "#test/support/kurz-command.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";
import { untilImported } from "#test/support/until-imported.ts";

const LINKS = 3000;
const TIMEOUT_MS = 600_000;

const directory = mkdtempSync(join(tmpdir(), "kurz-import-cores-"));
const { kurz } = await startKurzWithApi({
  env: { KURZ_RATE_LIMIT_PER_MINUTE: "0", KURZ_REDIRECT_PROCESSES: "1" },
});
afterAll(async () => {
  await kurz.stop();
  rmSync(directory, { recursive: true });
});

/** Those of all threads, if all may use the same. */
function coresOfProcess(role: "redirect" | "control"): string | null {
  const threads = kurz.processes(role).flatMap(threadsOf);
  const lists = new Set(threads.map((thread) => coresOf(thread)?.join()));
  const [list, ...others] = lists;
  return others.length === 0 ? (list ?? null) : null;
}

function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch (error) {
    // It has just ended.
    if (!["ENOENT", "ESRCH"].includes(codeOf(error) ?? "")) throw error;
    return [];
  }
}

test(
  "redirects and an import use different cores until it is over, and redirects use all while control is away",
  async () => {
    const all = coresOf(0) ?? [];
    const [others, last] = all.length > 1 ? [all.slice(0, 1), all.slice(1)] : [all, all];
    const untilApart = (what: string): Promise<unknown> =>
      until(what, () => coresOfProcess("redirect") === others.join() && coresOfProcess("control") === last.join());
    expect(coresOfProcess("redirect")).toBe(all.join());

    const links = join(directory, "links.csv");
    const rows = Array.from({ length: LINKS }, (_, index) => `moved-${index},https://example.com/${index}`);
    writeFileSync(links, `slug,url\n${rows.join("\n")}\n`);
    const [account] = readRecords<{ id: string }>(kurz, "select id from accounts");
    const command = spawnedKurz(kurz.dataDir)(["import", "csv", links, "--account", account?.id ?? ""]);
    await untilApart("they are apart");

    const supervisor = kurz.supervisor.pid;
    process.kill(supervisor, "SIGSTOP");
    try {
      signalFirst(kurz.processes("control"), "SIGKILL");
      await until("redirects use all cores", () => coresOfProcess("redirect") === all.join());
    } finally {
      process.kill(supervisor, "SIGCONT");
    }
    await untilApart("they are apart again");

    // It has lost its connection; the import goes on without it.
    await command;
    await untilImported(kurz);
    await until("both use all cores", () =>
      (["redirect", "control"] as const).every((role) => coresOfProcess(role) === all.join()),
    );
  },
  TIMEOUT_MS,
);
