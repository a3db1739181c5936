import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, renameSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import { loadConfig } from "#config/load-config.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { openServices } from "#runtime/services.ts";
import { type Kurz, kurzHere, newDataDir } from "#test/support/kurz-command.ts";
import { startKurz } from "#test/support/kurz-server.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { sendToServer } from "./admin-client.ts";

setDefaultTimeout(600_000);

interface Made {
  readonly account: string;
  readonly links: number;
  readonly clicks: number;
  readonly bot_hits: number;
}

const GENERATE = ["clicks", "generate", "--links", "30", "--clicks", "5000", "--days", "90", "--json"];

let dataDir = "";
let kurz: Kurz;

beforeEach(() => {
  dataDir = newDataDir();
  kurz = kurzHere(dataDir);
  migrateSqlite(loadedPaths().records);
});
afterEach(() => rmSync(dirname(dataDir), { recursive: true }));

const loadedPaths = () => dataPaths(loadConfig({ KURZ_DATA_DIR: dataDir }).dataDir);

async function generate(...more: string[]): Promise<Made> {
  const { exitCode, out, err } = await kurz([...GENERATE, ...more]);
  expect({ exitCode, err }).toEqual({ exitCode: 0, err: "" });
  return JSON.parse(out) as Made;
}

function rowsOf<T>(query: string): T[] {
  const database = new Database(loadedPaths().records, { readonly: true });
  try {
    return database.query(query).all() as T[];
  } finally {
    database.close();
  }
}

/** What the engine counts for each link, and what the links say of themselves. */
async function counts(accountNo: number) {
  const services = await openServices({ config: loadConfig({ KURZ_DATA_DIR: dataDir }), paths: loadedPaths() });
  const fromMs = 0;
  const toMs = Date.now() + 1;
  const { totals, breakdowns } = await services.clicks.report({
    ...{ accountNo, linkNo: null, fromMs, toMs, bucketStartsMs: [fromMs], filters: {}, includeBots: false },
    ...{ groupBy: ["link"], limit: 100, breakdownVisitors: true, previous: null },
  });
  await services.close();
  const reported = breakdowns.get("link")?.items.map(({ key, clicks }) => [key, clicks]) ?? [];
  const counted = rowsOf<{ no: number; click_count: number }>(
    `select link_no as no, click_count from link_counts where account_no = ${accountNo} and click_count > 0`,
  ).map(({ no, click_count }) => [no, click_count]);
  return { totals, reported: reported.sort(byNumber), counted: counted.sort(byNumber) };
}

const byNumber = (a: readonly unknown[], b: readonly unknown[]): number => Number(a[0]) - Number(b[0]);

test("without a server, sample clicks are counted equally by reports and links, and leave no journal", async () => {
  const made = await generate();
  expect(made).toMatchObject({ links: 30, clicks: 5000 });
  const { totals, reported, counted } = await counts(1);
  expect(totals).toMatchObject({ clicks: 5000, botHits: made.bot_hits });
  expect(reported).toEqual(counted);
  expect(readdirSync(loadedPaths().journal)).toEqual([]);
  expect(rowsOf("select segment from click_positions")).toEqual([]);
});

test("an account can get sample data more than once, and links are as old as their clicks", async () => {
  const { account } = await generate();
  expect(await generate("--account", account, "--seed", "2")).toMatchObject({ account, links: 30, clicks: 5000 });
  const { totals, reported, counted } = await counts(1);
  expect(totals.clicks).toBe(10_000);
  expect(reported).toEqual(counted);
  const day = 86_400_000;
  const [{ active_links, first, last, clicked }] = rowsOf<Record<string, number>>(
    `select active_links, min(l.created_at) as first, max(l.created_at) as last, max(last_clicked_at) as clicked
     from links l join accounts a on a.no = l.account_no join link_counts c on c.link_no = l.no`,
  ) as [{ active_links: number; first: number; last: number; clicked: number }];
  expect(active_links).toBe(60);
  expect(Date.now() - first).toBeGreaterThan(100 * day);
  expect(Date.now() - last).toBeLessThan(20 * day);
  expect(Date.now() - clicked).toBeLessThan(day);
  expect(rowsOf("select action from audit_log where action = 'clicks.generated'")).toHaveLength(2);
});

test("links that a plan has no room for are refused before anything is created", async () => {
  const env = { KURZ_DEFAULT_PLAN: "free" };
  expect(await kurz(GENERATE, { env })).toEqual({
    exitCode: 1,
    out: "",
    err:
      'kurz: the plan "free" allows 25 active links, which leaves room for 25; ask for fewer links, or name an account on a ' +
      `larger plan (data directory: ${dataDir})\n`,
  });
  expect(rowsOf("select 1 from accounts")).toEqual([]);
  expect((await kurz([...GENERATE, "--account", "acc_none"])).err).toStartWith('kurz: there is no account "acc_none"');
});

test("a running server ingests the clicks, shows progress, and counts real clicks at the same time", async () => {
  const server = await startKurz();
  try {
    const account = await server.newAccount();
    const token = await server.newToken(account);
    const texts: string[] = [];
    const input = { links: "40", clicks: "60000", account };
    const socket = dataPaths(server.dataDir).adminSocket;
    const made = (await sendToServer(socket, "clicks generate", input, (text) => texts.push(text))) as Made;
    expect(made).toMatchObject({ account, links: 40, clicks: 60_000 });
    expect(texts.length).toBeGreaterThan(0);
    expect(texts.at(-1)).toMatch(/^[\d,]+ of 60,000 clicks$/);
    const ask = async (path: string) =>
      (await fetch(`${server.url}/api/v1/${path}`, { headers: { authorization: `Bearer ${token}` } })).json();
    const { totals } = (await ask("analytics?interval=1y")) as { totals: { clicks: number; bot_hits: number } };
    expect(totals).toMatchObject({ clicks: 60_000, bot_hits: made.bot_hits });
    const { data } = (await ask("links?limit=100")) as { data: { click_count: number }[] };
    expect(data.reduce((sum, link) => sum + link.click_count, 0)).toBe(60_000);
    expect(readdirSync(join(server.dataDir, "journal")).filter((name) => name.startsWith("made-"))).toEqual([]);
  } finally {
    await server.stop();
  }
});

test("a server that stops doesn't wait for sample clicks", async () => {
  const server = await startKurz();
  const account = await server.newAccount();
  const started = Promise.withResolvers<void>();
  const input = { links: "10", clicks: "100000000", account };
  const making = sendToServer(dataPaths(server.dataDir).adminSocket, "clicks generate", input, () => started.resolve());
  const problem = making.then(
    () => null,
    (error: Error) => error.message,
  );
  await started.promise;
  expect(await server.stop()).toBe(0);
  expect(await problem).toBe("the server is stopping");
});

test("clicks of a stopped server aren't ingested beside the clicks of another installation", async () => {
  await generate();
  const [link] = rowsOf<{ id: string }>("select id from links where no = 1");
  await leavePastClicks({ dataDir }, [{ link: link?.id ?? "", at: new Date(), times: 7 }]);
  const sumOfCounts = () => rowsOf("select sum(click_count) as sum from link_counts");
  const [before, left] = [sumOfCounts(), readdirSync(loadedPaths().journal)];
  expect(left).toHaveLength(1);

  const own = `${loadedPaths().clicks}.own`;
  renameSync(loadedPaths().clicks, own);
  const foreign = openDuckDbClicks({ path: loadedPaths().clicks, batchDirectory: dataDir, installation: "another" });
  await foreign.checkpoint("");
  await foreign.close();
  const refused = await kurz(["clicks", "ingest"]);
  expect([refused.exitCode, refused.out]).toEqual([1, ""]);
  expect(refused.err).toContain("holds the clicks of another installation than records.db");
  // Neither the links nor the reports got any of them, and none is lost.
  expect([sumOfCounts(), readdirSync(loadedPaths().journal)]).toEqual([before, left]);

  renameSync(own, loadedPaths().clicks);
  expect(await kurz(["clicks", "ingest"])).toMatchObject({
    exitCode: 0,
    out: "Stored 7 clicks. Nothing is left in the journal.\n",
  });
  const { totals, reported, counted } = await counts(1);
  expect(totals.clicks).toBe(5007);
  expect(reported).toEqual(counted);
});
