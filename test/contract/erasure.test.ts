import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { dataPaths } from "#config/data-paths.ts";
import { getAccountAnalytics } from "#contract/analytics.ts";
import { createToken, deleteAccount, inviteMember, updateAccount } from "#contract/console/account.ts";
import { signUp } from "#contract/console/session.ts";
import { updateUser } from "#contract/console/user.ts";
import { createWebhook } from "#contract/console/webhooks.ts";
import type { Link } from "#contract/link-record.ts";
import { createLink, deleteLink, updateLink } from "#contract/links.ts";
import { textGroups } from "#engines/clicks/click-format.ts";
import { dumpDatabase, readRecords } from "#test/support/change-records.ts";
import { click } from "#test/support/clicks.ts";
import { type ConsoleClient, type ConsoleServer, PASSWORD, startConsole } from "#test/support/console-client.ts";
import { kurzHere } from "#test/support/kurz-command.ts";
import { until } from "#test/support/until.ts";
import { loopbackWebhooks, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";

setDefaultTimeout(600_000);

// In every text that a person can enter. Files are searched for its bytes, in lower case too.
const MARK = "Xylograph";
const FOLDED = MARK.toLowerCase();
const EMAIL = `ada-${FOLDED}@example.com`;
const KEPT = "bystander";
const LINKS = 120;

let dataDir: string;
let site: ConsoleServer;
let receiver: Receiver;
let accountNo: number;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "kurz-erased-"));
  receiver = startReceiver();
  receiver.answerWith(({ path }) => new Response(`the answer of ${path}`));
  site = await startConsole(loopbackWebhooks, { dataDir });
});
afterAll(async () => {
  await Promise.all([receiver.stop(), site.stop()]);
  rmSync(dataDir, { recursive: true });
});

const query = <T>(sql: string): readonly T[] => readRecords<T>({ dataDir }, sql);

let keys = 0;
const newLink = async (client: ConsoleClient, word: string, number: number): Promise<Link> => {
  const body = {
    destination_url: `https://example.com/${word}/${"path".repeat(number % 20)}?utm_campaign=${word}-${number % 4}`,
    title: `${word} ${number} ${"title ".repeat(number % 9)}`,
    tags: [`${word}-${number % 7}`],
    utm: { utm_source: `${word}-source` },
  };
  const headers = { "idempotency-key": `${word}-${++keys}` };
  return (await client.do(createLink, { body, headers })) as Link;
};

/** Everything that an account can have beside links. */
async function fill(client: ConsoleClient, word: string): Promise<void> {
  await client.do(updateAccount, { body: { name: `${word} account` } });
  await client.do(updateUser, { body: { name: `${word} person` } });
  await client.do(createToken, { body: { name: `${word} token`, scopes: ["links:read"], expires_in_days: 30 } });
  await client.do(createWebhook, {
    body: { url: `${receiver.url}/${word}`, description: `${word} hook`, events: ["link.created", "link.clicked"] },
  });
  await client.do(inviteMember, { body: { email: `guest-${word.toLowerCase()}@example.com`, role: "viewer" } });
}

async function use(client: ConsoleClient, word: string, links: readonly Link[]): Promise<void> {
  for (const { id } of links.slice(0, 10)) {
    await client.do(updateLink, { params: { id }, body: { title: `${word} renamed`, tags: [`${word} later`] } });
  }
  for (const { id } of links.slice(10, 15)) await client.do(deleteLink, { params: { id } });
  for (const link of links.slice(20, 60)) {
    await click(site.server, link, { headers: { Referer: `https://${word}.example.com/` } });
  }
}

test("after an account and its owner are deleted, nothing they entered is in any file or table of a stopped server", async () => {
  const doomed = site.guest();
  const body = { email: EMAIL, name: MARK, password: PASSWORD, account_name: `${MARK} account` };
  await doomed.do(signUp, { body });
  doomed.account = (await doomed.state()).session?.accounts[0]?.id ?? "";
  await fill(doomed, MARK);
  await fill(site.owner, KEPT);
  // Alternating, so that they share pages and row groups.
  const [theirs, others]: [Link[], Link[]] = [[], []];
  for (let number = 0; number < LINKS; number += 1) {
    theirs.push(await newLink(doomed, MARK, number));
    others.push(await newLink(site.owner, KEPT, number));
  }
  await use(doomed, MARK, theirs);
  await use(site.owner, KEPT, others);
  for (const client of [doomed, site.owner]) {
    await until("the clicks are reported", async () => {
      const report = await client.do(getAccountAnalytics, { query: { interval: "24h" } });
      return (report as { totals: { clicks: number } }).totals.clicks === 40;
    });
  }
  await until("a webhook was delivered", () => receiver.hits.some(({ path }) => path.endsWith(MARK)));
  accountNo = query<{ no: number }>(`select no from accounts where name like '${MARK}%'`)[0]?.no ?? 0;

  const refused = await kurzHere(dataDir)(["users", "delete", EMAIL]);
  expect(refused.err).toContain(`"${MARK} account" (${doomed.account}) has no other owner`);
  await doomed.do(deleteAccount);
  await until("the account is gone", () => query(`select 1 from accounts where no = ${accountNo}`).length === 0);
  expect((await kurzHere(dataDir)(["users", "delete", EMAIL])).exitCode).toBe(0);
  expect((await doomed.state()).session).toBeNull();
  expect(await site.server.stop()).toBe(0);

  const dump = dumpDatabase({ dataDir });
  if (dump === null) {
    expect(site.server.output.stderr).toContain("removing what is left of deleted data from");
    expect(filesWith(KEPT)).toContain("records.db");
  } else {
    expect(dump).toContain(KEPT);
    expect(dump.toLowerCase()).not.toContain(FOLDED);
  }
  expect([...filesWith(MARK), ...filesWith(FOLDED)]).toEqual([]);
});

test("data that DuckDB may have compressed has no click, tag or count of the account either", async () => {
  const instance = await DuckDBInstance.create(dataPaths(dataDir).clicks, { access_mode: "READ_ONLY" });
  const connection = await instance.connect();
  const count = async (sql: string) => Number((await connection.runAndReadAll(sql)).getRows()[0]?.[0]);
  const tables = [
    ...["clicks", "compacted_clicks", "compacted_visitors", "link_tags", "summaries", "summarised"],
    ...["imported_clicks", "imported_visits", "imported_visitors", "imported_batches"],
  ];
  for (const table of tables) {
    expect(await count(`select count(*) from ${table} where account_no = ${accountNo}`)).toBe(0);
  }
  expect(await count("select count(*) from clicks")).toBe(40);
  for (const { table, texts } of textGroups) {
    const all = `concat_ws(' ', ${texts.map(({ name }) => name).join(", ")})`;
    expect(await count(`select count(*) from ${table} where ${all} ilike '%${MARK}%'`)).toBe(0);
  }
  expect(await count(`select count(*) from referrers where referrer ilike '%${KEPT}%'`)).toBeGreaterThan(0);
  connection.closeSync();
  instance.closeSync();
});

test("the audit log still shows that someone deleted an account, and that the operator deleted them", () => {
  const entries = query<{ actor: string; action: string; subject: string; details: string }>(
    "select actor, action, subject, details from audit_log where action in ('account.deleted', 'user.deleted') order by no",
  );
  expect(entries).toMatchObject([
    { action: "account.deleted", details: "{}" },
    { action: "user.deleted", actor: "operator", details: "{}" },
  ]);
  expect(entries[0]?.actor).toBe(`user:${entries[1]?.subject}`);
});

function filesWith(text: string): string[] {
  return readdirSync(dataDir, { recursive: true, encoding: "utf8" }).filter((name) => {
    const path = join(dataDir, name);
    return statSync(path).isFile() && readFileSync(path).includes(text);
  });
}
