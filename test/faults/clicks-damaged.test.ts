import { afterAll, expect, test } from "bun:test";
import { closeSync, copyFileSync, mkdtempSync, openSync, readdirSync, renameSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import type { Link } from "#contract/link-record.ts";
import { clickOnce, settledCounts } from "#test/support/click-counts.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";

const env = { KURZ_REDIRECT_PROCESSES: "1", KURZ_RATE_LIMIT_PER_MINUTE: "0" };
const directory = mkdtempSync(join(tmpdir(), "kurz-damaged-"));
const dataDir = join(directory, "data");
const { clicks, journal } = dataPaths(dataDir);
let token = "";
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function withServer(work: (kurz: KurzServer, api: LinkApi) => Promise<void>): Promise<KurzServer> {
  const kurz = await startKurz({ dataDir, env });
  try {
    token ||= await kurz.newToken(await kurz.newAccount());
    await work(kurz, new LinkApi(kurz.url, token));
  } finally {
    await kurz.stop();
  }
  return kurz;
}

async function clickTimes(kurz: KurzServer, { slug }: Link, times: number): Promise<void> {
  for (let no = 0; no < times; no += 1) expect(await clickOnce(`${kurz.url}/${slug}`)).toBe(302);
}

const isJournalEmpty = (): boolean => !readdirSync(journal).some((name) => name.endsWith(".log"));

const moveAway = (): void => renameSync(clicks, join(directory, "away.duckdb"));

function damage(): void {
  const file = openSync(clicks, "r+");
  writeSync(file, Buffer.alloc(4096), 0, 4096, 0);
  closeSync(file);
}

const clicksLine = async (kurz: KurzServer): Promise<string | undefined> => {
  const { code, stdout } = await kurz.kurz(["doctor"]);
  return `${code} ${stdout.split("\n").find((line) => /^\w+ +clicks /.test(line))}`;
};

const timesLogged = ({ output }: KurzServer, message: string): number => output.stderr.split(`"${message}"`).length - 1;

const PROBLEMS = ["clicks wait in the journal", "reports by tag lag behind the tags of links"];

test("with a damaged clicks file links redirect, and clicks made meanwhile are reported once the file is replaced", async () => {
  const backup = join(directory, "backup");
  let link: Link | undefined;
  await withServer(async (kurz, api) => {
    link = await api.create();
    await clickTimes(kurz, link, 20);
    await settledCounts(api, link.id, 20);
  });
  await withServer(async (kurz) => {
    await until("the journal is empty", isJournalEmpty);
    expect(await clicksLine(kurz)).toMatch(/^0 ok +clicks +the file can be read and has 20 clicks$/);
    expect((await kurz.kurz(["backup", backup])).code).toBe(0);
  });
  if (!link) throw new Error("there is no link");
  const { id } = link;
  const clicked = link;

  damage();
  const stopped = await withServer(async (kurz, api) => {
    await clickTimes(kurz, clicked, 5);
    await until("the clicks are on the link", async () => (await api.get(id)).click_count === 25);
    expect((await api.ask("GET", `/links/${id}/analytics?interval=24h`)).status).toBe(503);
    expect(await clicksLine(kurz)).toMatch(
      /^1 problem +clicks +the file can't be read: .+; if it is damaged, restore it/,
    );
    const { code, stderr } = await kurz.kurz(["backup", join(directory, "never")]);
    expect([code, stderr.trimEnd().split("\n").at(-1)]).toEqual([
      1,
      expect.stringMatching(/^kurz: [^\n]+clicks\.duckdb[^\n{]+$/),
    ]);
    // Both are retried at least every second.
    await until("ingestion has failed repeatedly", async () => (await failures(kurz)) >= 3);
    await until("both are logged", () => PROBLEMS.every((message) => timesLogged(kurz, message) > 0));
  });
  for (const message of PROBLEMS) expect([message, timesLogged(stopped, message)]).toEqual([message, 1]);

  moveAway();
  copyFileSync(join(backup, "data", "clicks.duckdb"), clicks);
  await withServer(async (kurz, api) => {
    expect(await settledCounts(api, id, 25)).toEqual({ counter: 25, report: 25 });
    await until("the journal is empty", isJournalEmpty);
    expect(await clicksLine(kurz)).toMatch(/^0 ok +clicks /);
  });

  moveAway();
  await withServer(async (kurz, api) => {
    expect(await clicksLine(kurz)).toMatch(
      /^1 problem +clicks +the file is (?:missing|empty), but links have counted 25/,
    );
    await clickTimes(kurz, clicked, 1);
    await until("the click is on the link", async () => (await api.get(id)).click_count > 25);
    expect(await settledCounts(api, id, 1)).toEqual({ counter: 26, report: 1 });
    expect(await clicksLine(kurz)).toMatch(/^0 warning +clicks +too few: 1 in reports, 26 counted by links;/);
  });
}, 600_000);

async function failures({ dataDir: at }: KurzServer): Promise<number> {
  const response = await fetch("http://localhost/metrics", { unix: dataPaths(at).metricsSocket });
  return Number(/^kurz_ingestion_failures_total (\d+)$/m.exec(await response.text())?.[1]);
}
