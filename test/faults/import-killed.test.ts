import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { AnalyticsReport } from "#contract/analytics.ts";
import type { Import } from "#contract/console/imports.ts";
import { readRecords } from "#test/support/change-records.ts";
import { spawnedKurz } from "#test/support/kurz-command.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";
import { untilImported } from "#test/support/until-imported.ts";

setDefaultTimeout(600_000);

const LINKS = 600;
const DAYS = 20;
const CLICKS_A_DAY = 3;
const KILLS = 4;

const directory = mkdtempSync(join(tmpdir(), "kurz-import-"));
const { kurz, api } = await startKurzWithApi({ env: { KURZ_RATE_LIMIT_PER_MINUTE: "0" } });
afterAll(async () => {
  await kurz.stop();
  rmSync(directory, { recursive: true });
});

const one = <T>(sql: string): T => Object.values(readRecords<Record<string, T>>(kurz, sql)[0] ?? {})[0] as T;
const created = (): number => one<number>("select count(*) from links where created_via = 'import'");
const stateOf = (): string => one<string>("select state from imports order by no desc limit 1") ?? "none";
const doneCounts = (): number => one<number>("select json_extract(progress, '$.counts.done') from imports");

test(`links and clicks are imported once although control is killed ${KILLS} times and the command with it`, async () => {
  const slugs = Array.from({ length: LINKS }, (_, index) => `moved-${index}`);
  const links = join(directory, "links.csv");
  const clicks = join(directory, "clicks.csv");
  writeFileSync(links, `slug,url,tags\n${slugs.map((slug) => `${slug},https://example.com/${slug},old`).join("\n")}\n`);
  const days = Array.from({ length: DAYS }, (_, day) => `2024-03-${String(day + 1).padStart(2, "0")}`);
  const rows = slugs.flatMap((slug) => days.map((date) => `${slug},${date},${CLICKS_A_DAY},DE`));
  writeFileSync(clicks, `slug,date,clicks,country\n${rows.join("\n")}\n`);

  const account = one<string>("select id from accounts");
  const run = spawnedKurz(kurz.dataDir);
  const command = run(["import", "csv", links, "--account", account, "--clicks-file", clicks]);
  for (let kills = 0; kills < KILLS; kills += 1) {
    const [links0, counts0, state0] = [created(), doneCounts(), stateOf()];
    await until(
      "the import has come further",
      () => created() > links0 || doneCounts() > counts0 || stateOf() !== state0 || stateOf() === "done",
    );
    const pid = signalFirst(kurz.processes("control"), "SIGKILL");
    await until("control is another one", () => kurz.processes("control").some((other) => other !== pid));
  }
  expect((await command).exitCode).toBe(1);
  await untilImported(kurz);

  expect(created()).toBe(LINKS);
  expect(one<number>("select count(*) from link_audit where action = 'link.created'")).toBe(LINKS);
  expect(one<number>("select count(*) from imported_links")).toBe(LINKS);
  const all = LINKS * DAYS * CLICKS_A_DAY;
  const range = "from=2024-03-01T00:00:00Z&to=2024-04-01T00:00:00Z&group_by=country";
  await until("reports have all clicks", async () => {
    const answer = await api.ask("GET", `/analytics?${range}`).catch(() => null);
    if (answer?.status !== 200) return false;
    const { totals, breakdowns } = (await answer.json()) as AnalyticsReport;
    if (totals.clicks < all) return false;
    expect(totals.clicks).toBe(all);
    expect(breakdowns.country?.items).toMatchObject([{ key: "DE", clicks: all }]);
    return true;
  });
  const { data } = (await (await api.ask("GET", "/links?limit=100")).json()) as { data: { click_count: number }[] };
  expect(new Set(data.map(({ click_count }) => click_count))).toEqual(new Set([DAYS * CLICKS_A_DAY]));

  const again = await run(["import", "csv", links, "--account", account, "--clicks-file", clicks, "--json"]);
  expect(again).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(again.out) as Import).toMatchObject({
    state: "done",
    links: { created: 0, imported_before: LINKS },
    counts: { clicks: 0 },
  });
  expect(created()).toBe(LINKS);

  const [first] = JSON.parse(
    (await run(["imports", "list", "--account", account, "--json"])).out,
  ).reverse() as Import[];
  const undone = await run(["imports", "undo", first?.id ?? ""]);
  expect(undone.out).toContain(`Erased ${LINKS} links.`);
  expect(created()).toBe(0);
  await until("its clicks are in no report", async () => {
    const answer = await api.ask("GET", `/analytics?${range}`);
    return ((await answer.json()) as AnalyticsReport).totals.clicks === 0;
  });
});
