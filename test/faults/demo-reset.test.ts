import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Link, LinkPage } from "#contract/link-record.ts";
import { type Demo, startDemo } from "#test/support/demo.ts";
import { familyOf, residentBytes } from "#test/support/process-table.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
}, 120_000);
afterAll(() => demo.stop());

const OLDEST = "/api/v1/links?limit=100&sort=created_at&state=all";
const LOADS = 4;
const RESETS = 20;
const RESETS_MS_MAX = 20 * 60_000;

async function listAll(): Promise<Link[]> {
  const links: Link[] = [];
  let cursor: string | null = "";
  while (cursor !== null) {
    const answer = await demo.api(`${OLDEST}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    const page = (await answer.json()) as LinkPage;
    links.push(...page.data);
    cursor = page.next_cursor;
  }
  return links;
}

const lookOf = ({ slug, title, destination_url, tags, utm, state, version }: Link) => ({
  slug,
  title,
  destination_url,
  tags,
  utm,
  state,
  version,
});

test("a reset under load breaks no request, shows nobody half a state, and leaves what was seeded", async () => {
  const seeded = await listAll();
  expect(seeded.length).toBeGreaterThanOrEqual(150);
  expect(seeded.filter(({ state }) => state === "active").length).toBeGreaterThanOrEqual(100);
  const oldest = seeded.slice(0, 100).map(({ slug }) => slug);
  const open = seeded.find(({ state, expires_at }) => state === "active" && expires_at === null)?.slug;
  const statuses = new Map<string, number>();
  const note = (what: string, status: number) => {
    const key = `${what} ${status}`;
    statuses.set(key, (statuses.get(key) ?? 0) + 1);
  };
  let isLoading = true;
  const load = async (): Promise<void> => {
    while (isLoading) {
      const body = JSON.stringify({ destination_url: "https://example.com/from-a-visitor" });
      const made = await demo.api("/api/v1/links", {
        method: "POST",
        body,
        headers: { "content-type": "application/json" },
      });
      note("create", made.status);
      await made.text();
      const listed = await demo.api(OLDEST);
      note("list", listed.status);
      expect(((await listed.json()) as LinkPage).data.map(({ slug }) => slug)).toEqual(oldest);
      const opened = await fetch(`${demo.url}/${open}`, { redirect: "manual" });
      note("open", opened.status);
      await opened.text();
    }
  };
  const loads = Promise.all(Array.from({ length: LOADS }, load));
  await demo.reset();
  await demo.reset();
  isLoading = false;
  await loads;
  expect([...statuses.keys()].toSorted()).toEqual(["create 201", "create 403", "list 200", "open 200"]);

  await demo.reset();
  const after = await listAll();
  expect(after.map(lookOf)).toEqual(seeded.map(lookOf));
  const clicksOf = (links: readonly Link[]): number => links.reduce((sum, { click_count }) => sum + click_count, 0);
  expect(clicksOf(after)).toBe(clicksOf(seeded));
}, 240_000);

test(
  "twenty resets grow neither memory nor disk",
  async () => {
    const memory = (): number => residentBytes(demo.supervisor.pid);
    const disk = (): number => {
      const { stdout } = Bun.spawnSync(["du", "-sk", demo.dataDir]);
      return Number.parseInt(stdout.toString(), 10);
    };
    await demo.reset();
    const before = { memory: memory(), disk: disk(), processes: familyOf(demo.supervisor.pid).length };
    for (let reset = 0; reset < RESETS; reset += 1) await demo.reset();
    expect(familyOf(demo.supervisor.pid)).toHaveLength(before.processes);
    expect(disk()).toBeLessThan(before.disk * 1.5);
    expect(memory()).toBeLessThan(before.memory + 50 * 1024 * 1024);
  },
  RESETS_MS_MAX,
);
