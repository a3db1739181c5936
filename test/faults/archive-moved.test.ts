import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Import } from "#contract/console/imports.ts";
import { readRecords } from "#test/support/change-records.ts";
import { click, userAgents } from "#test/support/clicks.ts";
import { comparableArchive } from "#test/support/comparable-archive.ts";
import { spawnedKurz } from "#test/support/kurz-command.ts";
import type { KurzServer } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";
import { untilImported } from "#test/support/until-imported.ts";

setDefaultTimeout(600_000);

const LINKS = 300;
const CHANGED = 40;
const DAYS = 10;
const VISITS = 12;
const KILLS = 3;
const DAY_MS = 86_400_000;

const directory = mkdtempSync(join(tmpdir(), "kurz-moved-"));
const env = { KURZ_RATE_LIMIT_PER_MINUTE: "0" };
const [here, there] = [await startKurzWithApi({ env }), await startKurzWithApi({ env })];
afterAll(async () => {
  await Promise.all([here.kurz.stop(), there.kurz.stop()]);
  rmSync(directory, { recursive: true });
});

const oneOf = <T>(kurz: KurzServer, sql: string): T =>
  Object.values(readRecords<Record<string, T>>(kurz, sql)[0] ?? {})[0] as T;
const accountOf = (kurz: KurzServer): string => oneOf<string>(kurz, "select id from accounts");

/** Links with histories, clicks that were imported before, and clicks that were made here. */
async function fill({ kurz, api }: typeof here): Promise<void> {
  const slugs = Array.from({ length: LINKS }, (_, index) => `moved-${index}`);
  const days = Array.from({ length: DAYS }, (_, day) => `2024-03-${String(day + 1).padStart(2, "0")}`);
  const [links, clicks] = [join(directory, "links.csv"), join(directory, "clicks.csv")];
  const rows = slugs.map((slug, index) => `${slug},https://example.com/${slug},${index % 2 === 0 ? "even" : "odd"}`);
  writeFileSync(links, `slug,url,tags\n${rows.join("\n")}\n`);
  const counts = slugs.flatMap((slug, index) =>
    days.map((date) => `${slug},${date},${1 + (index % 3)},${index % 5 === 0 ? "FR" : "DE"},news.example`),
  );
  writeFileSync(clicks, `slug,date,clicks,country,referrer\n${counts.join("\n")}\n`);
  const args = ["import", "csv", links, "--account", accountOf(kurz), "--clicks-file", clicks];
  expect(await spawnedKurz(kurz.dataDir)(args)).toMatchObject({ exitCode: 0 });
  const changed = (await api.list()).slice(0, CHANGED);
  const operations = changed.map(({ id }) => ({ op: "update", id, link: { title: "Changed" } }));
  expect((await api.ask("POST", "/links/bulk", { operations, atomic: true })).status).toBe(200);
  const agents = Object.values(userAgents);
  for (let visits = 0; visits < VISITS; visits += 1) {
    const headers = { "User-Agent": agents[visits % agents.length] ?? "" };
    const query = visits % 2 === 0 ? "?utm_source=mail" : "?qr=1";
    await click(kurz, { slug: `moved-${visits % 4}` }, { query, headers });
  }
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
const past = "from=2024-03-01&to=2024-03-20";
const lately = `from=${dayOf(Date.now() - DAY_MS)}&to=${dayOf(Date.now() + 2 * DAY_MS)}`;
const groups = ["country", "referrer", "browser", "os", "device", "source", "utm_source", "tag", "link"];
const everything = `${groups.map((name) => `group_by=${name}`).join("&")}&limit=1000&week_hours=true`;
const questions = [past, lately].flatMap((range) =>
  ["", "&include_bots=true", "&country=DE", "&tag=odd", "&country=FR&tag=even", "&source=qr", "&utm_source=mail"]
    .map((filter) => `${range}&${everything}${filter}`)
    .concat(`${range}&granularity=hour&timezone=America/Los_Angeles`, `${range}&granularity=day&timezone=Asia/Tokyo`),
);

async function reportsOf(api: LinkApi): Promise<Record<string, unknown>> {
  const reports: Record<string, unknown> = {};
  for (const question of questions) {
    const answer = await api.ask("GET", `/analytics?${question}`);
    const text = await answer.text();
    expect([question, answer.status, text.slice(0, answer.ok ? 0 : 500)]).toEqual([question, 200, ""]);
    reports[question] = JSON.parse(text);
  }
  return reports;
}

const visitsOf = async (api: LinkApi): Promise<number> => {
  const answer = await api.ask("GET", `/analytics?${lately}&include_bots=true`);
  return ((await answer.json()) as { totals: { clicks: number } }).totals.clicks;
};

async function exportTo(file: string, { dataDir, ...kurz }: KurzServer) {
  const account = accountOf({ dataDir, ...kurz });
  expect(await spawnedKurz(dataDir)(["export", "--account", account, file])).toMatchObject({ exitCode: 0 });
  const { links, ...others } = await comparableArchive(new Uint8Array(readFileSync(file)));
  // Each instance has a domain of its own.
  return { ...others, links: links.map(({ domain: _, ...link }) => link) };
}

test(`an account moves by commands, with the same reports, although control is killed ${KILLS} times`, async () => {
  await fill(here);
  await until("all visits are reported", async () => (await visitsOf(here.api)) === VISITS);
  const clicksOf = (kurz: KurzServer) => oneOf<number>(kurz, "select sum(click_count) from link_counts");
  const people = Array.from({ length: VISITS }, (_, visit) => visit % 5).filter((agent) => agent < 3).length;
  const imported = DAYS * (LINKS / 3) * (1 + 2 + 3);
  await until("the links count them", () => clicksOf(here.kurz) === imported + people);

  const file = join(directory, "account.tar.gz");
  const exported = await exportTo(file, here.kurz);
  expect([exported.links.length, exported.history.length]).toEqual([LINKS, CHANGED]);

  const { kurz } = there;
  const progress = (): string => oneOf<string>(kurz, "select state || progress from imports") ?? "";
  const state = (): string => oneOf<string>(kurz, "select state from imports") ?? "";
  const command = spawnedKurz(kurz.dataDir)(["import", "kurz", file, "--account", accountOf(kurz)]);
  for (let kills = 0; kills < KILLS; kills += 1) {
    const before = progress();
    await until("the import has come further", () => progress() !== before || state() === "done");
    const pid = signalFirst(kurz.processes("control"), "SIGKILL");
    await until("control is another one", () => kurz.processes("control").some((other) => other !== pid));
  }
  await command;
  await untilImported(kurz);

  expect(oneOf<number>(kurz, "select count(*) from links")).toBe(LINKS);
  expect(clicksOf(kurz)).toBe(clicksOf(here.kurz));
  await until("reports are back", async () => (await there.api.ask("GET", `/analytics?${past}`)).status === 200);
  expect(await reportsOf(there.api)).toEqual(await reportsOf(here.api));
  expect(await exportTo(join(directory, "again.tar.gz"), kurz)).toEqual(exported);

  const repeated = await spawnedKurz(kurz.dataDir)(["import", "kurz", file, "--account", accountOf(kurz), "--json"]);
  expect(JSON.parse(repeated.out) as Import).toMatchObject({
    links: { created: 0, imported_before: LINKS },
    counts: { clicks: 0 },
  });
});
