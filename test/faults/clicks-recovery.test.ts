import { afterAll, afterEach, beforeEach, describe, expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import type { Link } from "#contract/link-record.ts";
import { clickOnce, settledCounts } from "#test/support/click-counts.ts";
import { killAndReplace } from "#test/support/killed-process.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";

const CLICKS = 60;
const env = { KURZ_REDIRECT_PROCESSES: "1", KURZ_RATE_LIMIT_PER_MINUTE: "0" };

const dataDir = mkdtempSync(join(tmpdir(), "kurz-recovery-"));
const { journal } = dataPaths(dataDir);
let kurz: KurzServer;
let api: LinkApi;
let link: Link;
let token = "";
let expected = 0;

const start = async (): Promise<void> => {
  kurz = await startKurz({ dataDir, env });
  token ||= await kurz.newToken(await kurz.newAccount());
  api = new LinkApi(kurz.url, token);
};
const listSegments = (): string[] =>
  readdirSync(journal)
    .filter((name) => name.endsWith(".log"))
    .map((name) => join(journal, name));

async function clickMany(): Promise<void> {
  const { slug } = link;
  const statuses = await Promise.all(Array.from({ length: CLICKS }, () => clickOnce(`${kurz.url}/${slug}`)));
  expect(new Set(statuses)).toEqual(new Set([302]));
  expected += CLICKS;
}

const expectExactly = async (): Promise<void> =>
  expect(await settledCounts(api, link.id, expected)).toEqual({ counter: expected, report: expected });

beforeEach(async () => {
  await start();
  link = await api.create();
  expected = 0;
  await clickMany();
});
afterEach(() => kurz.stop());
afterAll(() => rmSync(dataDir, { recursive: true, force: true }));

describe("after a kill", () => {
  test("between the commits and the deletion of a segment, its clicks count once and it is still deleted", async () => {
    await expectExactly();
    const [segment = ""] = listSegments();
    // A file that something is mounted on cannot be deleted.
    mountOnItself(segment);
    try {
      await killAndReplace(kurz, "redirect");
      // Its first segment shows control that the previous one has ended.
      await clickMany();
      await until("control tries to delete the segment", () => /EBUSY/.test(kurz.output.stderr));
      signalFirst(kurz.processes("control"), "SIGKILL");
    } finally {
      // The dying process may still read it.
      await until("the file can be unmounted", () => Bun.spawnSync(["umount", segment]).exitCode === 0);
    }
    await until("the segment is deleted", () => !listSegments().includes(segment));
    await expectExactly();
    await clickMany();
    await expectExactly();
  }, 600_000);

  test("in the middle of a write, the torn record is skipped and all before it count", async () => {
    await killAll();
    const written = listSegments().at(-1) ?? "";
    appendFileSync(written, "\u00010123abcd 900 4242 9 ");
    await start();
    await expectExactly();
    await clickMany();
    await expectExactly();
  }, 600_000);

  test("of all processes before clicks were ingested, every click is ingested after the next start", async () => {
    await killAll();
    await start();
    await expectExactly();
  }, 600_000);
});

function mountOnItself(path: string): void {
  const { exitCode, stderr } = Bun.spawnSync(["mount", "--bind", path, path]);
  if (exitCode !== 0) throw new Error(`this test needs root, to mount a file: ${stderr}`);
}

async function killAll(): Promise<void> {
  kurz.supervisor.kill("SIGKILL");
  await kurz.supervisor.exited;
}
