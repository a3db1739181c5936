import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { countImports } from "#clicks/imported/count-imports.ts";
import { toClickCounts } from "#clicks/imported/counted-moment.ts";
import type { Import, Outcomes } from "#contract/console/imports.ts";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import { openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import type { OutboundClient } from "#engines/outbound/outbound-client.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import type { Database } from "#engines/records/schema.ts";
import type { Caller } from "#kernel/caller.ts";
import { systemClock } from "#kernel/clock.ts";
import { toCsv } from "#kernel/csv.ts";
import { type LinkService, linkService } from "#links/links.service.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { linkQuery, testLinkDeps } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { type ImportedLink, type ImportSource, SourceProblem } from "./import-source.ts";
import { type ImportRequest, type ImportService, importService } from "./imports.service.ts";
import { listWorkOf } from "./imports.store.ts";
import { csv } from "./sources/csv/csv.ts";

setDefaultTimeout(600_000);

let store: TestRecords;
let clicks: ClicksEngine;
let links: LinkService;
let directory = "";
let files = 0;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-imports-"));
  store = openTestRecords();
  clicks = openDuckDbClicks({ path: join(directory, "clicks.duckdb"), batchDirectory: directory });
  links = linkService(testLinkDeps(store.records));
});
afterEach(async () => {
  await clicks.close();
  await store.close();
  rmSync(directory, { recursive: true });
});

const serviceFor = (
  { plan }: Caller,
  {
    records = store.records,
    sources = { csv },
  }: { records?: TestRecords["records"]; sources?: Record<string, ImportSource> } = {},
): ImportService =>
  importService({
    ...{ records, clock: systemClock, links, sources, node: "test", root: join(directory, "imports") },
    counts: countImports({ records, clicks }),
    client: null as unknown as OutboundClient,
    extras: { addColor: async () => {}, addTemplate: async () => {} },
    plans: { of: () => plan } as unknown as PlanCatalogue,
    ownDomain: testLinkDeps(store.records).origin.domain,
  });

const fileOf = (...rows: readonly (readonly string[])[]): string => {
  const path = join(directory, `${++files}.csv`);
  writeFileSync(path, toCsv(rows));
  return path;
};

const NEVER = new AbortController().signal;

async function importFile(
  caller: Caller,
  request: Partial<ImportRequest>,
  service = serviceFor(caller),
): Promise<Import> {
  const { id } = await service.begin(caller, { source: "csv", ...request });
  return service.finish(caller, id, NEVER);
}

const countRows = async (table: keyof Database): Promise<number> => {
  const { n } = await store.records.read
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as("n"))
    .executeTakeFirstOrThrow();
  return Number(n);
};

const listAll = async (caller: Caller) => (await links.list(caller, linkQuery({ state: ["all"], limit: 100 }))).data;

const outcomesOf = ({ created, renamed, imported_before, conflicts, refused }: Outcomes): Outcomes => ({
  ...{ created, renamed, imported_before, conflicts, refused },
});

const problemsOf = async (caller: Caller, id: string, service = serviceFor(caller)): Promise<string> =>
  (await Array.fromAsync(await service.problems(caller, id))).join("");

test("links arrive with all that the file says, as imported, and are audited and announced", async () => {
  const caller = await newTestCaller(store.records);
  const file = fileOf(
    ["slug", "url", "title", "tags", "state", "created", "expires", "password", "max_clicks", "clicks"],
    ["one", "https://example.com/1", "First", "a,b", "", "2020-01-02T03:04:05Z", "2021-01-01", "", "", ""],
    ["two", "https://example.com/2", "", "", "archived", "", "", "", "10", "4"],
    ["three", "https://example.com/3", "", "", "", "", "", "yes", "", ""],
  );
  const done = await importFile(caller, { file, tag: "moved" });
  expect(done).toMatchObject({ state: "done", problem: null, links: { done: 3, created: 3 }, can_undo: true });
  const all = Object.fromEntries((await listAll(caller)).map((link) => [link.slug, link]));
  const { one, two, three } = all;
  expect(one).toMatchObject({
    ...{ slug: "one", title: "First", tags: ["moved", "a", "b"], created_via: "import", expired: true, version: 1 },
    created_at: "2020-01-02T03:04:05.000Z",
  });
  expect(two).toMatchObject({ slug: "two", state: "archived", max_clicks: 10, metadata: { imported_clicks: "4" } });
  expect(three).toMatchObject({ slug: "three", state: "paused", password_protected: false });
  const history = await links.history(caller, one?.id ?? "", { limit: 10 });
  expect(history.data).toMatchObject([{ action: "created", via: "import", by: { type: "token", id: "test" } }]);
  expect(await countRows("link_audit")).toBe(3);
  const [account] = await store.records.read.selectFrom("accounts").select("active_links").execute();
  expect(account?.active_links).toBe(1);
});

test("the import of a suspended account waits until it is resumed", async () => {
  const caller = await newTestCaller(store.records);
  await serviceFor(caller).begin(caller, { source: "csv", file: fileOf(["slug", "url"]) });
  const suspend = (at: number | null) =>
    store.records.write((tx) => tx.updateTable("accounts").set({ suspended_at: at }).execute());
  const isWaiting = async () => (await listWorkOf(store.records.read, "test")).length === 0;
  expect(await isWaiting()).toBe(false);
  await suspend(1);
  expect(await isWaiting()).toBe(true);
  await suspend(null);
  expect(await isWaiting()).toBe(false);
});

test("a dry run changes nothing, and its forecast is what the run then does: of random files", async () => {
  const slug = fc.constantFrom("a", "A", "b", "taken", "TAKEN", "api", "x_", "ö", "", "c-2", "c", "deleted");
  const url = fc.constantFrom("https://example.com/", "https://example.com/2", "nonsense", "javascript:alert(1)", "");
  const row = fc.tuple(
    ...[slug, url, fc.constantFrom("", "e1", "e2", "e-taken"), fc.constantFrom("", "paused", "archived")],
    ...[fc.constantFrom("", "x".repeat(300)), fc.constantFrom("", "s.other", "t.other")],
  );
  const request = fc.record({
    rows: fc.array(row, { minLength: 1, maxLength: 70 }),
    onConflict: fc.constantFrom("skip" as const, "suffix" as const),
    limit: fc.constantFrom(null, 3, 10),
  });
  await fc.assert(
    fc.asyncProperty(request, async ({ rows, onConflict, limit }) => {
      const caller = await newTestCaller(store.records, { active_links: limit });
      const prefix = caller.accountId.slice(-6);
      const named = (text: string) => (/^[a-z]/i.test(text) && text !== "api" ? `${prefix}${text}` : text);
      await links.create(caller, { destination_url: "https://example.com/", slug: named("taken") }, null);
      const other = await newTestCaller(store.records);
      const gone = await links.create(other, { destination_url: "https://example.com/", slug: named("deleted") }, null);
      await links.delete(other, (gone as { id: string }).id, null, { permanent: true });
      await links.create(other, { destination_url: "https://example.com/", external_id: "e-taken" }, null);
      const cells = rows.map(([first, ...rest]) => [named(first), ...rest]);
      const file = fileOf(["slug", "url", "external_id", "state", "title", "domain"], ...cells);

      const tables = ["links", "link_audit", "link_versions", "changes", "tombstones", "imported_links"] as const;
      const before = await Promise.all(tables.map(countRows));
      const service = serviceFor(caller);
      const dry = await importFile(caller, { file, onConflict, isDryRun: true }, service);
      expect(dry.state).toBe("checked");
      expect(await Promise.all(tables.map(countRows))).toEqual(before);
      const foretold = await problemsOf(caller, dry.id);

      await service.resume(caller, dry.id);
      const run = await service.finish(caller, dry.id, NEVER);
      expect(run.state).toBe("done");
      expect(outcomesOf(run.links)).toEqual(outcomesOf(run.forecast as Outcomes));
      expect(await countRows("links")).toBe((before[0] ?? 0) + run.links.created);
      const codes = (text: string) => text.split("\r\n").map((line) => line.split(",").slice(0, 4).join());
      expect(codes(await problemsOf(caller, dry.id))).toEqual(codes(foretold));

      // Once more: nothing is created twice.
      const links1 = await countRows("links");
      const again = await importFile(caller, { file, onConflict: "skip" }, service);
      expect(again.links.imported_before).toBeGreaterThanOrEqual(run.links.created);
      expect(again.links.created).toBe(0);
      expect(await countRows("links")).toBe(links1);
    }),
    { numRuns: 40 },
  );
});

test("with fail, nothing is imported if one slug can't be kept", async () => {
  const caller = await newTestCaller(store.records);
  const file = fileOf(["slug", "url"], ["ok", "https://example.com/"], ["OK", "https://example.com/2"]);
  const failed = await importFile(caller, { file, onConflict: "fail" });
  expect(failed).toMatchObject({ state: "failed", can_resume: false, can_undo: false });
  expect(failed.problem).toContain("1 slug is taken or not allowed");
  expect(await countRows("links")).toBe(0);
});

test("a slug that leads elsewhere is a conflict, in the same file and in that of another service", async () => {
  const caller = await newTestCaller(store.records);
  const head = ["slug", "url"];
  const [one, two, three] = ["https://example.com/1", "https://example.com/2", "https://example.com/3"];
  const file = fileOf(head, ["promo", one], ["promo", two], ["promo", one]);
  expect((await importFile(caller, { file, onConflict: "fail" })).problem).toContain("1 slug is taken");
  const skipped = await importFile(caller, { file });
  expect(skipped.links).toMatchObject({ created: 1, conflicts: 1, imported_before: 1 });
  const countsFile = fileOf(["slug", "date", "clicks"], ["promo", "2024-01-01", "5"]);
  const other = { file: fileOf(head, ["promo", three]), countsFile, onConflict: "suffix" as const };
  const suffixed = await importFile(caller, other);
  expect(suffixed).toMatchObject({ links: { created: 1, renamed: 1 }, counts: { clicks: 5 } });
  const destinations = async () =>
    Object.fromEntries((await listAll(caller)).map((link) => [link.slug, [link.destination_url, link.click_count]]));
  expect(await destinations()).toEqual({ promo: [one, 0], "promo-2": [three, 5] });
  expect((await importFile(caller, other)).links).toMatchObject({ created: 0, imported_before: 1 });
  expect((await importFile(caller, { file })).links).toMatchObject({ created: 0, conflicts: 1, imported_before: 2 });
  expect(Object.keys(await destinations())).toHaveLength(2);
});

test("a link of a file that has ids is known by its id, also after its slug or destination was changed there", async () => {
  const caller = await newTestCaller(store.records);
  const head = ["id", "slug", "url", "domain"];
  const [one, two] = ["https://example.com/1", "https://example.com/2"];
  const countsFile = fileOf(["slug", "domain", "date", "clicks"], ["a", "s.other", "2024-01-01", "5"]);
  const file = fileOf(head, ["7", "a", one, "s.other"], ["", "b", one, "s.other"]);
  expect(await importFile(caller, { file, countsFile })).toMatchObject({
    links: { created: 2 },
    counts: { clicks: 5 },
  });
  const changed = fileOf(head, ["7", "a", two, "s.other"], ["7", "renamed", one, "s.other"], ["", "b", one, "s.other"]);
  const again = await importFile(caller, { file: changed, onConflict: "suffix" });
  expect(again.links).toMatchObject({ created: 0, imported_before: 3 });
  // Another service has ids of its own, and a column that has none of links can be left out.
  const other = await importFile(caller, { file: fileOf(head, ["7", "c", two, "t.other"]) });
  expect(other.links).toMatchObject({ created: 1 });
  const noIds = await importFile(caller, { file: fileOf(head, ["7", "d", two, "s.other"]), columns: { id: "" } });
  expect(noIds.links).toMatchObject({ created: 1 });
});

test("the list of problems names each line and link, and says what it lost", async () => {
  const caller = await newTestCaller(store.records);
  const url = "https://example.com/";
  const file = fileOf(
    ["slug", "url", "password", "created_at"],
    ["PROMO", url, "secret", ""],
    ["PROMO", `${url}2`, "", "yesterday"],
    ["", "nonsense", "", ""],
    ["", "", "x", ""],
  );
  const countsFile = fileOf(
    ["slug", "date", "clicks", "country"],
    ["PROMO", "2024-01-01", "1", "Germany"],
    ["PROMO", "2024-01-02", "1", "Germany"],
    ["gone", "2024-01-01", "5", ""],
    ["gone", "2024-01-02", "6", ""],
  );
  const { id, read } = await importFile(caller, { file, countsFile, onConflict: "suffix" });
  expect(read).toEqual({ links: 3, counts: 4, unreadable: 1, notes: 1 });
  const [head, ...lines] = (await problemsOf(caller, id)).trimEnd().split("\r\n");
  expect(head).toBe("line,link,destination,code,problem");
  expect(lines).toEqual([
    "5,,,unreadable,The row has no destination.",
    '2 of the clicks,,,unknown_value,"country ""Germany"" isn\'t a code such as DE: 2 rows count as unknown."',
    `2,PROMO,${url},not_kept,A password can't be carried over: the link is paused until you set a new one.`,
    `3,PROMO,${url}2,renamed,"The slug is now ""promo-2""."`,
    `3,PROMO,${url}2,not_kept,created_at isn't a date such as 2026-01-31 or 2026-01-31T12:00:00Z.`,
    expect.stringMatching(/^4,,nonsense,validation_failed,/),
    ",gone,,clicks_without_link,2 counts of clicks (11 in all) belong to no link that this import created.",
  ]);
});

test("clicks that weren't added are told once, however many ways they are counted in", async () => {
  const caller = await newTestCaller(store.records);
  const byCountryAndByDevice = toClickCounts({
    ...{ linkNo: 0, domain: "", atMs: Date.UTC(2024, 0, 1), hasHour: true, bot: false, clicks: 7 },
    cuts: (["country", "device"] as const).map((name) => ({ dimensions: [name], counts: [] })),
  });
  const sources: Record<string, ImportSource> = {
    remote: {
      ...{ title: "Remote", needsToken: false, place: "url" },
      async *read() {
        for (const { link_no: _, domain: __, ...count } of byCountryAndByDevice) {
          yield { type: "exported", counts: { ...count, sourceId: "gone" } };
        }
      },
    },
  };
  const service = serviceFor(caller, { sources });
  const { id } = await service.begin(caller, { source: "remote", url: "https://s.other" });
  expect((await service.finish(caller, id, NEVER)).counts).toEqual({ done: 2, clicks: 0, skipped: 2 });
  expect(await problemsOf(caller, id, service)).toContain("2 counts of clicks (7 in all) belong to no link");
});

test("counts are added to the links of their import, and not again when it is repeated", async () => {
  const caller = await newTestCaller(store.records);
  const file = fileOf(["slug", "url"], ["one", "https://example.com/1"], ["two", "https://example.com/2"]);
  const counts = [
    ["one", "2024-01-01", "5", "de"],
    ["one", "2024-01-02", "7", ""],
    ["two", "2024-01-01", "1", "fr"],
  ];
  const countsFile = fileOf(["slug", "date", "clicks", "country"], ...counts, ["unknown", "2024-01-01", "9", ""]);
  const done = await importFile(caller, { file, countsFile });
  expect(done.counts).toEqual({ done: 4, clicks: 13, skipped: 1 });
  const clicksOf = async () => Object.fromEntries((await listAll(caller)).map((link) => [link.slug, link.click_count]));
  expect(await clicksOf()).toEqual({ one: 12, two: 1 });
  expect((await clicks.stats()).importedClicks).toBe(13);
  const again = await importFile(caller, { file, countsFile });
  expect(again).toMatchObject({ links: { imported_before: 2, created: 0 }, counts: { clicks: 0, skipped: 4 } });
  expect(await clicksOf()).toEqual({ one: 12, two: 1 });
});

test("an import that is interrupted anywhere goes on without doubling anything", async () => {
  const caller = await newTestCaller(store.records);
  const rows = Array.from({ length: 230 }, (_, index) => [`s${index}`, "https://example.com/"]);
  const file = fileOf(["slug", "url"], ...rows);
  const countsFile = fileOf(["slug", "date", "clicks"], ...rows.map(([slug = ""]) => [slug, "2024-01-01", "3"]));
  let writes = 0;
  let failAt = 0;
  // What it wrote may or may not be there: both must be fine.
  const records: TestRecords["records"] = {
    ...store.records,
    async write(work, options) {
      writes += 1;
      const isLost = writes === failAt;
      if (isLost && failAt % 2 === 0) throw new RecordsUnavailable("interrupted");
      const result = await store.records.write(work, options);
      if (isLost) throw new RecordsUnavailable("interrupted");
      return result;
    },
  };
  const service = serviceFor(caller, { records });
  const { id } = await service.begin(caller, { source: "csv", file, countsFile });
  let interruptions = 0;
  for (failAt = 2; ; failAt += 1) {
    writes = 0;
    const done = await service.finish(caller, id, NEVER).catch((error) => {
      if (!(error instanceof RecordsUnavailable)) throw error;
      interruptions += 1;
      return null;
    });
    if (done) {
      expect(done).toMatchObject({ state: "done", links: { created: 230, refused: 0 }, counts: { clicks: 690 } });
      break;
    }
    failAt = failAt > 3 ? 1 : failAt;
  }
  expect(interruptions).toBeGreaterThan(2);
  expect(await countRows("links")).toBe(230);
  expect((await clicks.stats()).importedClicks).toBe(690);
  const { sum } = await store.records.read
    .selectFrom("link_counts")
    .select((eb) => eb.fn.sum<number>("click_count").as("sum"))
    .executeTakeFirstOrThrow();
  expect(Number(sum)).toBe(690);
});

test("undo erases links and clicks, and only the same account may have the addresses again", async () => {
  const caller = await newTestCaller(store.records);
  const file = fileOf(["slug", "url"], ["one", "https://example.com/1"], ["two", "https://example.com/2"]);
  const countsFile = fileOf(["slug", "date", "clicks"], ["one", "2024-01-01", "5"]);
  const service = serviceFor(caller);
  const { id } = await importFile(caller, { file, countsFile }, service);
  const [first] = await listAll(caller);
  await links.moveToTrash(caller, first?.id ?? "", null);
  await service.undo(caller, id);
  await service.undo(caller, id);
  expect(await service.finish(caller, id, NEVER)).toMatchObject({ state: "undone", erased_links: 2, can_undo: false });
  const audit = await store.records.read.selectFrom("audit_log").select("action").orderBy("no").execute();
  expect(audit.map(({ action }) => action)).toEqual(["import.started", "import.undone"]);
  expect([await countRows("links"), await countRows("deleted_links"), await countRows("imported_links")]).toEqual([
    0, 0, 0,
  ]);
  expect(await countRows("click_erasures")).toBe(2);
  const other = await newTestCaller(store.records);
  await expect(
    links.create(other, { destination_url: "https://example.com/", slug: "one" }, null),
  ).rejects.toMatchObject({
    code: "slug_taken",
  });
  expect(await importFile(caller, { file }, service)).toMatchObject({ state: "done", links: { created: 2 } });
  expect(await countRows("tombstones")).toBe(0);
});

test("undoing is the doing of who undid it, not of who started it, also after a restart", async () => {
  const starter = await newTestCaller(store.records);
  const undoer: Caller = { ...starter, actor: "operator" };
  const { id } = await importFile(starter, { file: fileOf(["slug", "url"], ["one", "https://example.com/1"]) });
  await serviceFor(starter).undo(undoer, id);
  // Another process goes on, which knows only what is stored.
  expect(await serviceFor(starter).finish(starter, id, NEVER)).toMatchObject({ state: "undone", erased_links: 1 });
  const audit = await store.records.read.selectFrom("link_audit").select(["action", "actor"]).orderBy("no").execute();
  expect(audit).toEqual([
    { action: "link.created", actor: starter.actor },
    { action: "link.erased", actor: "operator" },
  ]);
});

test("undoing an import that is running forgets nothing of what it has done meanwhile", async () => {
  const caller = await newTestCaller(store.records);
  const { id } = await importFile(caller, { file: fileOf(["slug", "url"], ["a", "https://example.com/"]) });
  const { progress } = await store.records.read.selectFrom("imports").select("progress").executeTakeFirstOrThrow();
  const created = (links: number): string =>
    JSON.stringify({ ...JSON.parse(progress), links: { ...JSON.parse(progress).links, created: links } });
  const set = (links: number) =>
    store.records.write((tx) =>
      tx
        .updateTable("imports")
        .set({ state: "running", progress: created(links) })
        .execute(),
    );
  await set(1);
  let isFirst = true;
  const records: TestRecords["records"] = {
    ...store.records,
    async write(work, options) {
      // The process that runs it is done with another slice.
      if (isFirst) await set(51);
      isFirst = false;
      return store.records.write(work, options);
    },
  };
  await serviceFor(caller, { records }).undo(caller, id);
  expect(await serviceFor(caller).get(caller, id)).toMatchObject({ state: "undoing", links: { created: 51 } });
});

test("imports of versions that kept less in mind are listed, with their problems", async () => {
  const caller = await newTestCaller(store.records);
  const service = serviceFor(caller);
  const { id } = await importFile(caller, { file: fileOf(["slug", "url"], ["a", "https://example.com/"]) }, service);
  const stored = await store.records.read.selectFrom("imports").select("progress").executeTakeFirstOrThrow();
  const { problems: _, read, ...progress } = JSON.parse(stored.progress);
  const { notes: __, ...earlier } = read;
  await store.records.write((tx) =>
    tx
      .updateTable("imports")
      .set({ progress: JSON.stringify({ ...progress, read: earlier }) })
      .execute(),
  );
  expect((await service.get(caller, id)).read).toEqual({ links: 1, counts: 0, unreadable: 0, notes: 0 });
  expect(await problemsOf(caller, id, service)).toBe("line,link,destination,code,problem\r\n");
});

test("problems of links that weren't created, because someone cancelled the import meanwhile, aren't listed", async () => {
  const caller = await newTestCaller(store.records);
  const rows = Array.from({ length: 60 }, (_, index) => [`c${index}`, "https://example.com/", "secret"]);
  const file = fileOf(["slug", "url", "password"], ...rows);
  let isCancelled = false;
  const records: TestRecords["records"] = {
    ...store.records,
    async write(work, options) {
      const { progress } = await store.records.read.selectFrom("imports").select("progress").executeTakeFirstOrThrow();
      if (JSON.parse(progress).links.done > 0 && !isCancelled) {
        isCancelled = true;
        await serviceFor(caller).cancel(caller, id);
      }
      return store.records.write(work, options);
    },
  };
  const { id } = await serviceFor(caller).begin(caller, { source: "csv", file });
  const service = serviceFor(caller, { records });
  const stopped = await service.finish(caller, id, NEVER);
  expect(stopped).toMatchObject({ state: "cancelled", links: { done: 50 } });
  const lines = (await problemsOf(caller, id)).trimEnd().split("\r\n").slice(1);
  expect(lines.map((line) => line.split(",")[1])).toEqual(rows.slice(0, 50).map(([slug]) => slug));
  await service.resume(caller, id);
  await service.finish(caller, id, NEVER);
  expect((await problemsOf(caller, id)).trimEnd().split("\r\n")).toHaveLength(61);
});

test("a cancelled import keeps what it has created, and can go on", async () => {
  const caller = await newTestCaller(store.records);
  const rows = Array.from({ length: 120 }, (_, index) => [`c${index}`, "https://example.com/"]);
  const service = serviceFor(caller);
  const { id } = await service.begin(caller, { source: "csv", file: fileOf(["slug", "url"], ...rows), isDryRun: true });
  await service.finish(caller, id, NEVER);
  await service.cancel(caller, id);
  expect(await service.finish(caller, id, NEVER)).toMatchObject({ state: "cancelled", can_resume: true });
  expect(await countRows("links")).toBe(0);
  await service.resume(caller, id);
  expect(await service.finish(caller, id, NEVER)).toMatchObject({ state: "done", links: { created: 120 } });
});

test("an account can have five open imports, also if one that was cancelled goes on", async () => {
  const caller = await newTestCaller(store.records);
  const service = serviceFor(caller);
  const file = fileOf(["slug", "url"], ["one", "https://example.com/"]);
  const begin = () => service.begin(caller, { source: "csv", file, isDryRun: true });
  const { id } = await begin();
  await service.cancel(caller, id);
  const open = await Promise.all(Array.from({ length: 5 }, begin));
  const message =
    "An account can have 5 open imports, including those that are only checked. Finish or cancel one of them.";
  const tooMany = { status: 422, details: { errors: [{ message }] } };
  await expect(begin()).rejects.toMatchObject(tooMany);
  await expect(service.resume(caller, id)).rejects.toMatchObject(tooMany);
  expect(await service.get(caller, id)).toMatchObject({ state: "cancelled" });
  // One that is open already isn't another.
  expect(await service.finish(caller, open[0]?.id ?? "", NEVER)).toMatchObject({ state: "checked" });
  await service.resume(caller, open[0]?.id ?? "");
  expect(await service.finish(caller, open[0]?.id ?? "", NEVER)).toMatchObject({ state: "done" });
  expect(await service.resume(caller, id)).toMatchObject({ state: "reading" });
});

test("a domain that the account doesn't have is refused before anything is read", async () => {
  const caller = await newTestCaller(store.records);
  const service = serviceFor(caller);
  const file = fileOf(["slug", "url"], ["one", "https://example.com/"]);
  await expect(service.begin(caller, { source: "csv", file, domain: "nope.example" })).rejects.toMatchObject({
    status: 422,
    details: {
      errors: [{ field: "domain", message: "\"nope.example\" isn't one of the account's verified domains." }],
    },
  });
  expect(await service.list(caller)).toEqual([]);
});

test("an import that was cancelled before it was checked is checked first when it goes on", async () => {
  const caller = await newTestCaller(store.records);
  const service = serviceFor(caller);
  const file = fileOf(["slug", "url"], ["one", "https://example.com/"]);
  const { id } = await service.begin(caller, { source: "csv", file, isDryRun: true });
  await service.finish(caller, id, NEVER);
  // As it was when someone cancelled it in the middle of the check.
  await store.records.write((tx) => tx.updateTable("imports").set({ state: "cancelled", forecast: null }).execute());
  await service.resume(caller, id);
  const checked = await service.finish(caller, id, NEVER);
  expect(checked).toMatchObject({ state: "checked", forecast: { created: 1 }, links: { created: 0 } });
  await service.resume(caller, id);
  expect(await service.finish(caller, id, NEVER)).toMatchObject({ state: "done", links: { created: 1 } });
});

test("a link whose tags can't be kept is imported without them", async () => {
  const caller = await newTestCaller(store.records);
  const file = fileOf(["slug", "url", "tags"], ["a", "https://example.com/", ".,.."]);
  expect(await importFile(caller, { file })).toMatchObject({ links: { created: 1, refused: 0 } });
  expect(await listAll(caller)).toMatchObject([{ slug: "a", tags: [] }]);
});

test("a file that is gone is named without where the server kept it", async () => {
  const caller = await newTestCaller(store.records);
  const file = fileOf(["slug", "destination_url"], ["a-link", "https://example.com/"]);
  const { state, problem } = await importFile(caller, { file, countsFile: join(directory, "gone.csv") });
  expect([state, problem]).toEqual(["failed", expect.stringMatching(/^gone\.csv can't be read: /)]);
});

test("an import is known to its account only", async () => {
  const caller = await newTestCaller(store.records);
  const other = await newTestCaller(store.records);
  const service = serviceFor(caller);
  const { id } = await importFile(caller, { file: fileOf(["slug", "url"], ["one", "https://example.com/"]) }, service);
  const missing = { code: "not_found" };
  await expect(service.get(other, id)).rejects.toMatchObject(missing);
  await expect(service.cancel(other, id)).rejects.toMatchObject(missing);
  await expect(service.resume(other, id)).rejects.toMatchObject(missing);
  await expect(service.undo(other, id)).rejects.toMatchObject(missing);
  await expect(service.problems(other, id)).rejects.toMatchObject(missing);
  expect(await service.list(other)).toEqual([]);
  const upload = service.uploads.start(caller);
  expect(() => service.uploads.add(other, upload.id, 0, new Uint8Array(1))).toThrow();
  expect(() => service.uploads.get(caller, "../../records.db")).toThrow();
});

test("a token is in no file, record or error, and is asked for again after a restart", async () => {
  const TOKEN = "secret-token-4711";
  const caller = await newTestCaller(store.records);
  const sources: Record<string, ImportSource> = {
    remote: {
      title: "Remote",
      needsToken: true,
      place: "url",
      async *read({ token, url }) {
        if (url === "bug") throw new Error(`could not use ${token}`);
        if (url === "down") throw new SourceProblem("The service is away.");
        yield { type: "unreadable", where: "x", why: "y" };
      },
    },
  };
  const service = serviceFor(caller, { sources });
  await expect(service.begin(caller, { source: "remote" })).rejects.toMatchObject({ code: "validation_failed" });
  const bug = await service.begin(caller, { source: "remote", token: TOKEN, url: "bug" });
  const error = (await service.finish(caller, bug.id, NEVER).catch((thrown) => thrown)) as Error;
  expect(error.message).toBe("could not use …");
  expect(error.stack).not.toContain(TOKEN);
  const restarted = serviceFor(caller, { sources });
  expect((await restarted.finish(caller, bug.id, NEVER)).problem).toContain("Resume it with the token");
  await expect(restarted.resume(caller, bug.id)).rejects.toMatchObject({ code: "validation_failed" });
  await restarted.resume(caller, bug.id, TOKEN);
  await restarted.cancel(caller, bug.id);
  const down = await restarted.begin(caller, { source: "remote", token: TOKEN, url: "down" });
  expect(await restarted.finish(caller, down.id, NEVER)).toMatchObject({
    state: "failed",
    problem: "The service is away.",
  });
  const rows = await store.records.read.selectFrom("imports").selectAll().execute();
  const audit = await store.records.read.selectFrom("audit_log").selectAll().execute();
  const spooled = readdirSync(join(directory, "imports"), { recursive: true }) as string[];
  const texts = await Promise.all(
    spooled.filter((name) => name.endsWith("json")).map((name) => Bun.file(join(directory, "imports", name)).text()),
  );
  expect(JSON.stringify([rows, audit, texts])).not.toContain(TOKEN);
});

test("a link whose id is too long to be kept is listed, and the others are imported", async () => {
  const caller = await newTestCaller(store.records);
  const link = (sourceId: string, slug: string): ImportedLink => ({
    ...{ sourceId, slug, host: "s.other", fields: { destination_url: "https://example.com/" }, state: "active" },
    ...{ createdAt: null, hadPassword: false, usedClicks: 0, losses: [] },
  });
  const sources: Record<string, ImportSource> = {
    remote: {
      ...{ title: "Remote", needsToken: false, place: "url" },
      async *read() {
        yield { type: "link", link: link("x".repeat(501), "long") };
        yield { type: "link", link: link("y", "short") };
      },
    },
  };
  const service = serviceFor(caller, { sources });
  const { id } = await service.begin(caller, { source: "remote", url: "https://s.other" });
  expect(await service.finish(caller, id, NEVER)).toMatchObject({ state: "done", links: { created: 1 } });
  expect(await problemsOf(caller, id, service)).toContain("s.other/long");
});
