import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { analyticsService } from "#analytics/analytics.service.ts";
import { toClickCounts } from "#clicks/imported/counted-moment.ts";
import { type AccountAnalyticsQuery, accountDimensions, getAccountAnalytics } from "#contract/analytics.ts";
import type { Link } from "#contract/link-record.ts";
import { momentOfDay } from "#engines/clicks/click-counts.ts";
import { ApiError } from "#kernel/api-error.ts";
import { type AccountLab, openAccountLab, recordsOf } from "#test/support/account-lab.ts";
import { comparableArchive } from "#test/support/comparable-archive.ts";
import { someLink, someStep } from "#test/support/random-link-changes.ts";
import { createTestLink } from "#test/support/test-links.ts";

setDefaultTimeout(600_000);

const NOW = Date.UTC(2026, 4, 20, 12);
const DAY_MS = 86_400_000;
const FIRST_MS = NOW - 15 * DAY_MS;

let now = FIRST_MS;
const clock = () => now;
let here: AccountLab;
let there: AccountLab;
const open = async (): Promise<void> => {
  now = FIRST_MS;
  [here, there] = [await openAccountLab({ clock }), await openAccountLab({ clock })];
};
const close = async (): Promise<void> => {
  await Promise.all([here.close(), there.close()]);
};
beforeEach(open);
afterEach(close);

/** Exports the one, and imports it into the other. */
async function move(from: AccountLab, to: AccountLab) {
  const archive = await from.download();
  const file = join(to.directory, `${crypto.randomUUID()}.tar.gz`);
  writeFileSync(file, archive);
  return { archive, done: await to.import({ file }) };
}

async function reportsOf(lab: AccountLab, queries: readonly Partial<AccountAnalyticsQuery>[]) {
  await lab.mirrorTags();
  const analytics = analyticsService({ ...lab, clock: () => NOW, ownDomain: lab.origin.domain });
  const reports: unknown[] = [];
  for (const timezone of ["Europe/Berlin", "America/Los_Angeles"]) {
    for (const query of queries) {
      const asked = { from: "2026-05-01", to: "2026-05-21", timezone, limit: 100, week_hours: true, ...query };
      const group_by = accountDimensions;
      reports.push(await analytics.ofAccount(lab.caller, getAccountAnalytics.query.parse({ group_by, ...asked })));
    }
  }
  return reports;
}

const someClick = fc.record({
  at_ms: fc.integer({ min: 0, max: 14 * 24 * 60 - 1 }).map((minute) => FIRST_MS + minute * 60_000 + 17),
  bot: fc.boolean(),
  source: fc.constantFrom("link" as const, "qr" as const),
  visitor: fc.constantFrom("", "00000000000000aa", "00000000000000bb", "00000000000000cc"),
  country: fc.constantFrom("", "DE", "US"),
  language: fc.constantFrom("", "de"),
  device: fc.constantFrom("desktop", "mobile"),
  referrer: fc.constantFrom("", "a.example", "b.example"),
  utm_source: fc.constantFrom("", "mail"),
  rule: fc.constantFrom("", "ios", "test/a"),
});

const someCounts = fc.record({
  day: fc.integer({ min: 0, max: 13 }).map((day) => Math.floor(FIRST_MS / DAY_MS) + day),
  germans: fc.integer({ min: 1, max: 9 }),
  referred: fc.integer({ min: 1, max: 9 }),
});

const someAccount = fc.record({
  links: fc.array(fc.tuple(someLink, fc.array(someStep, { maxLength: 8 })), { minLength: 1, maxLength: 5 }),
  clicks: fc.array(fc.tuple(fc.nat(4), someClick), { minLength: 1, maxLength: 80, size: "max" }),
  counts: fc.array(fc.tuple(fc.nat(4), someCounts), { maxLength: 10 }),
  compactDays: fc.integer({ min: 0, max: 10 }),
});
type SomeAccount = typeof someAccount extends fc.Arbitrary<infer T> ? T : never;

async function fill(lab: AccountLab, { links, clicks, counts, compactDays }: SomeAccount): Promise<void> {
  const made: Link[] = [];
  for (const [body, steps] of links) {
    now += 1000;
    const link = await createTestLink(lab.links, lab.caller, body);
    made.push(link);
    for (const step of steps) {
      now += 1000;
      // Some aren't allowed in the link's state.
      await change(lab, link.id, step).catch((error) => {
        if (!(error instanceof ApiError)) throw error;
      });
    }
  }
  const kept: Link[] = [];
  for (const link of made) {
    if ((await lab.links.get(lab.caller, link.id)).state === "deleted") {
      await lab.links.delete(lab.caller, link.id, null, { permanent: true });
    } else kept.push(link);
  }
  const [first] = kept;
  if (!first) return;
  for (const [index, click] of clicks) await lab.click(kept[index % kept.length] ?? first, [click]);
  let no = 0;
  for (const [index, { day, germans, referred }] of counts) {
    const linkNo = await lab.numberOf((kept[index % kept.length] ?? first).id);
    no += 1;
    await lab.countImports.store({
      ...{ accountNo: lab.caller.accountNo, importId: "bitly", no, visitors: [] },
      counts: toClickCounts({
        ...{ linkNo, atMs: momentOfDay(day), hasHour: false, bot: false, domain: "", clicks: 10 },
        cuts: [
          { dimensions: ["country"], counts: [{ values: { country: "DE" }, clicks: germans }] },
          { dimensions: ["referrer"], counts: [{ values: { referrer: "a.example" }, clicks: referred }] },
        ],
      }),
    });
  }
  now = NOW;
  await lab.clicks.compact(FIRST_MS + compactDays * DAY_MS);
}

function change(
  { links, caller }: AccountLab,
  id: string,
  step: typeof someStep extends fc.Arbitrary<infer T> ? T : never,
) {
  if (step.do === "update") return links.update(caller, id, step.patch, null);
  if (step.do === "delete") return links.moveToTrash(caller, id, null);
  return step.do === "restore" ? links.restore(caller, id, null) : links.act(caller, id, step.do, null);
}

const queries: readonly Partial<AccountAnalyticsQuery>[] = [
  {},
  { include_bots: true },
  { country: ["DE"] },
  { country: ["DE"], device: ["mobile"], include_bots: true },
  { referrer: ["a.example"], source: ["qr"] },
  { tag: ["one"] },
  { from: "2026-05-07", to: "2026-05-09", granularity: "hour" },
];

test("any account gives the same reports to the digit elsewhere, and is exported again as it was", async () => {
  await fc.assert(
    fc.asyncProperty(someAccount, async (account) => {
      await close();
      await open();
      await fill(here, account);
      const { archive, done } = await move(here, there);
      const { links } = await recordsOf(archive);
      expect(done).toMatchObject({ state: "done", problem: null, links: { created: links.length } });
      expect(await reportsOf(there, queries)).toEqual(await reportsOf(here, queries));
      expect(await comparableArchive(await there.download())).toEqual(await comparableArchive(archive));
    }),
    { numRuns: Number(process.env.RUNS ?? 3), endOnFailure: true },
  );
});

test("the last click keeps its moment, unless clicks are left out or it isn't over yet", async () => {
  const link = await createTestLink(here.links, here.caller, { slug: "one" });
  const at = FIRST_MS + 56_789;
  await here.click(link, [{ at_ms: at }]);
  now = NOW;
  const file = join(there.directory, "clicked.tar.gz");
  writeFileSync(file, await here.download());
  const lastClickOf = async () => (await there.links.get(there.caller, link.id)).last_clicked_at;
  for (const [request, last] of [
    [{}, new Date(at).toISOString()],
    [{ withClicks: false }, null],
    [{ countsFrom: at + DAY_MS }, null],
  ] as const) {
    const { id } = await there.import({ file, ...request });
    expect(await lastClickOf()).toBe(last);
    await there.undo(id);
  }
  now = FIRST_MS + 1000;
  await there.import({ file });
  expect(await lastClickOf()).toBe(new Date(now).toISOString());
});

test("links keep their ids, states and histories, and can be reverted", async () => {
  const link = await createTestLink(here.links, here.caller, { slug: "one", title: "First" });
  now += 1000;
  await here.links.update(here.caller, link.id, { title: "Second" }, null);
  const { done } = await move(here, there);
  expect(done).toMatchObject({ state: "done", links: { created: 1 } });
  const moved = await there.links.get(there.caller, link.id);
  expect(moved).toMatchObject({ id: link.id, slug: "one", title: "Second", version: 2, created_via: "import" });
  const { data } = await there.links.history(there.caller, link.id, { limit: 10 });
  // Nobody here did it, even if someone here has the id that an archive names.
  expect(data.map(({ version, by, via }) => [version, by?.type, by?.id, via])).toEqual([
    [2, "token", null, "import"],
    [1, "token", "test", "import"],
  ]);
  expect(await there.links.revert(there.caller, link.id, 1, null)).toMatchObject({ title: "First", version: 3 });
});

test("what moving changes is a version of its own, and those before it are as they were", async () => {
  const { id } = await createTestLink(here.links, here.caller, { slug: "one", title: "First", tags: ["a"] });
  await here.links.update(here.caller, id, { title: "Second" }, null);
  await here.links.update(here.caller, id, { password: "open sesame" }, null);
  const archived = await createTestLink(here.links, here.caller, { slug: "two", password: "open sesame" });
  await here.links.act(here.caller, archived.id, "archive", null);
  now += 1000;
  const file = join(there.directory, "tagged.tar.gz");
  writeFileSync(file, await here.download());
  expect(await there.import({ file, tag: "moved" })).toMatchObject({ state: "done", links: { created: 2 } });

  const changesOf = async ({ links, caller }: AccountLab, link: string) =>
    (await links.history(caller, link, { limit: 10 })).data.map(({ version, at, action, before, after }) => ({
      ...{ version, at, action, before, after },
    }));
  const at = new Date(now).toISOString();
  const [moved, ...past] = await changesOf(there, id);
  expect(past).toEqual(await changesOf(here, id));
  expect(moved).toEqual({
    ...{ version: 4, at, action: "paused" },
    before: { state: "active", password_protected: true, tags: ["a"] },
    after: { state: "paused", password_protected: false, tags: ["moved", "a"] },
  });
  const link = { version: 4, state: "paused", password_protected: false, paused_at: at, updated_at: at };
  expect(await there.links.get(there.caller, id)).toMatchObject(link);
  expect(await there.links.revert(there.caller, id, 1, null)).toMatchObject({ ...link, version: 5, title: "First" });

  const [second, ...earlier] = await changesOf(there, archived.id);
  expect(earlier).toEqual(await changesOf(here, archived.id));
  expect(second).toMatchObject({ version: 3, action: "updated", after: { password_protected: false } });
  expect(await there.links.act(there.caller, archived.id, "unarchive", null)).toMatchObject({
    ...{ state: "paused", paused_at: at },
  });
});

test("an id that is taken, and a slug that is taken, cost nobody theirs", async () => {
  const link = await createTestLink(here.links, here.caller, { slug: "one" });
  const first = await move(here, there);
  expect(first.done).toMatchObject({ links: { created: 1 } });
  // The same again, and into an account of its own instance.
  expect((await move(here, there)).done).toMatchObject({ links: { created: 0, imported_before: 1 } });
  const file = join(here.directory, "again.tar.gz");
  writeFileSync(file, first.archive);
  expect(await here.import({ file, onConflict: "suffix" })).toMatchObject({ links: { created: 1, renamed: 1 } });
  const { data } = await here.links.list(here.caller, { limit: 10, sort: "created_at", tag: [] } as never);
  expect(data.map(({ slug }) => slug).toSorted()).toEqual(["one", "one-2"]);
  expect(data.find(({ slug }) => slug === "one")?.id).toBe(link.id);
  expect(new Set(data.map(({ id }) => id)).size).toBe(2);
});

test("links with a password arrive paused, and colors and templates arrive unless there are others", async () => {
  await createTestLink(here.links, here.caller, { slug: "secret", password: "open sesame", tags: ["a", "b"] });
  for (const lab of [here, there]) {
    const name = lab === here ? "blue" : "red";
    await createTestLink(there.links, there.caller, { tags: ["b"] });
    if (lab === here) await lab.tags.update(lab.caller, "a", { color: "green" });
    await lab.tags.update(lab.caller, "b", { color: name });
    await lab.utmTemplates.save(lab.caller, { name: "Mail", utm: { utm_source: name } });
  }
  await here.utmTemplates.save(here.caller, { name: "Ads", utm: { utm_medium: "cpc" } });
  await here.domains.add(here.caller, "go.acme.example", { isVerified: true });
  await here.endpoints.create(here.caller, { url: "https://hooks.example/kurz" });
  const { done } = await move(here, there);
  expect(done).toMatchObject({ state: "done", links: { created: 1 } });
  const { data } = await there.links.list(there.caller, {
    limit: 10,
    sort: "created_at",
    tag: [],
    slug: "secret",
  } as never);
  expect(data).toMatchObject([{ state: "paused", password_protected: false }]);
  expect((await Array.fromAsync(there.tags.colors(there.caller.accountNo))).flat()).toEqual([
    { name: "a", color: "green" },
    { name: "b", color: "red" },
  ]);
  expect(await there.utmTemplates.list(there.caller)).toMatchObject([
    { name: "Ads", utm: { utm_medium: "cpc" } },
    { name: "Mail", utm: { utm_source: "red" } },
  ]);
  expect((await there.domains.list(there.caller, { limit: 10 })).data).toEqual([]);
  expect(await there.endpoints.list(there.caller)).toEqual([]);
  const steps = await Bun.file(join(there.directory, "imports", done.id, "unreadable.ndjson")).text();
  expect(steps).toContain("go.acme.example");
  expect(steps).toContain("https://hooks.example/kurz");
});

test("an archive that isn't whole creates nothing", async () => {
  await createTestLink(here.links, here.caller, { slug: "one" });
  const archive = await here.download();
  const file = join(there.directory, "cut.tar.gz");
  writeFileSync(file, archive.subarray(0, archive.byteLength - 40));
  expect(await there.import({ file })).toMatchObject({ state: "failed", problem: expect.stringContaining("cut off") });
  expect(await recordsOf(await there.download())).toMatchObject({ links: [] });
});
