import { afterAll, beforeAll, expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Link, LinkPage } from "#contract/link-record.ts";
import { DEMO_START_MS_MAX, type Demo, startDemo, untilMidnightIsFar } from "#test/support/demo.ts";
import { familyOf, residentBytes } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";

let demo: Demo;
beforeAll(async () => {
  demo = await startDemo();
}, DEMO_START_MS_MAX);
afterAll(() => demo.stop());

const OLDEST = "/api/v1/links?limit=100&sort=created_at&state=all";
const LOADS = 4;
const RESET_MS_MAX = 120_000;
const RESETS = 20;
const MIB = 1024 * 1024;
const RESETS_MS_MAX = 20 * 60_000;

const listAll = (): Promise<Link[]> => demo.links("sort=created_at&state=all");

const lookOf = ({ id, slug, title, destination_url, tags, utm, state, version }: Link) => ({
  id,
  slug,
  title,
  destination_url,
  tags,
  utm,
  state,
  version,
});

const postLink = ({ api }: Demo, headers: Readonly<Record<string, string>> = {}): Promise<Response> =>
  api("/api/v1/links", {
    method: "POST",
    body: JSON.stringify({ destination_url: "https://example.com/from-a-visitor" }),
    headers: { "content-type": "application/json", ...headers },
  });
const makeLink = async (on: Demo): Promise<string> => ((await (await postLink(on)).json()) as Link).id;

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
      const made = await postLink(demo);
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
  "what was asked for under an idempotency key is forgotten with the data",
  async () => {
    await untilMidnightIsFar();
    const answer = async () => {
      const { status, headers } = await postLink(demo, { "idempotency-key": "the-same-in-both" });
      return [status, headers.get("idempotent-replayed")];
    };
    expect(await answer()).toEqual([201, null]);
    expect(await answer()).toEqual([201, "true"]);
    await demo.reset();
    expect(await answer()).toEqual([201, null]);
  },
  2 * RESET_MS_MAX,
);

const statusOf = async ({ api }: Demo, id: string): Promise<number> => (await api(`/api/v1/links/${id}`)).status;

test(
  "the demo starts anew by itself, no earlier than it told",
  async () => {
    const timed = await startDemo({ KURZ_DEMO_RESET_MINUTES: "1" });
    try {
      const resetsAt = async (): Promise<number> =>
        Date.parse((await timed.api("/api/v1/me")).headers.get("x-demo-resets-at") ?? "");
      // Not so soon that the link below would be gone before it is looked at.
      await until("a reset is some time away", async () => (await resetsAt()) - Date.now() > 20_000, RESET_MS_MAX);
      const told = await resetsAt();
      expect(told % 60_000).toBe(0);
      const id = await makeLink(timed);
      expect(await statusOf(timed, id)).toBe(200);
      await until("the link is gone", async () => (await statusOf(timed, id)) === 404, RESET_MS_MAX);
      expect(Date.now()).toBeGreaterThanOrEqual(told);
      expect(await resetsAt()).toBeGreaterThan(told);
    } finally {
      await timed.stop();
    }
  },
  4 * RESET_MS_MAX,
);

test(
  "where the next data cannot be made, the old goes on, the log says so, and it is tried again",
  async () => {
    await untilMidnightIsFar();
    const [current = ""] = demo.generations();
    const number = Number(current.replace("generation-", ""));
    // Files where the directories of the next two would be.
    for (const next of [number + 1, number + 2]) writeFileSync(join(demo.dataDir, `generation-${next}`), "");
    const id = await makeLink(demo);
    const failures = (): number => demo.output.stderr.split("the demo could not be reset").length - 1;
    demo.supervisor.kill("SIGUSR2");
    await until("it has failed", () => failures() === 1, RESET_MS_MAX);
    expect(await statusOf(demo, id)).toBe(200);
    await until("it has failed again", () => failures() === 2, RESET_MS_MAX);
    expect(await statusOf(demo, id)).toBe(200);
    await until("it has started anew", async () => (await statusOf(demo, id)) === 404, RESET_MS_MAX);
    await until("the old data is gone", () => demo.generations().join() === `generation-${number + 3}`, RESET_MS_MAX);
    expect(failures()).toBe(2);
  },
  4 * RESET_MS_MAX,
);

test(
  "twenty resets grow neither memory nor disk",
  async () => {
    const measure = () => {
      const family = familyOf(demo.supervisor.pid);
      const { stdout } = Bun.spawnSync(["du", "-sk", demo.dataDir]);
      return {
        supervisor: residentBytes(demo.supervisor.pid),
        memory: family.reduce((sum, pid) => sum + residentBytes(pid), 0),
        processes: family.length,
        disk: Number.parseInt(stdout.toString(), 10),
        files: readdirSync(demo.dataDir).length,
        descriptors: readdirSync(`/proc/${demo.supervisor.pid}/fd`).length,
      };
    };
    await demo.reset();
    const before = measure();
    for (let reset = 0; reset < RESETS; reset += 1) await demo.reset();
    const after = measure();
    expect(after.processes).toBe(before.processes);
    expect(after.files).toBe(before.files);
    expect(after.descriptors).toBeLessThanOrEqual(before.descriptors + RESETS / 2);
    expect(after.disk).toBeLessThan(before.disk * 1.2);
    expect(after.supervisor).toBeLessThan(before.supervisor + 50 * MIB);
    expect(after.memory).toBeLessThan(before.memory + 100 * MIB);
  },
  RESETS_MS_MAX,
);
