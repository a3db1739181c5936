import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { dataPaths } from "#config/data-paths.ts";
import { startKurzOnSmallDisk } from "#test/support/kurz-on-small-disk.ts";
import { startLoad } from "#test/support/load.ts";
import { countListeners, isAlive, signalFirst } from "#test/support/process-table.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";

const TIMEOUT_MS = 600_000;
const MEGABYTES = 24;

const { disk, kurz, api, account, stop } = await startKurzOnSmallDisk(MEGABYTES);
afterAll(stop);

const known = await api.create();
const neverVisited = await Promise.all(Array.from({ length: 50 }, () => api.create()));
const acknowledged: string[] = [];

/** Creates links for as long as the service accepts them, and returns the first refusal. */
async function createUntilRefused(): Promise<Response> {
  for (;;) {
    const body = { destination_url: `https://example.com/${"long/".repeat(800)}`, title: "x".repeat(255) };
    const answer = await api.ask("POST", "/links", body);
    if (answer.status !== 201) return answer;
    acknowledged.push(((await answer.json()) as { id: string }).id);
  }
}

const integrity = (): unknown => {
  const database = new Database(dataPaths(kurz.dataDir).records, { readonly: true });
  try {
    return database.query("pragma integrity_check").all();
  } finally {
    database.close();
  }
};

const visit = async (slug: string): Promise<number> => (await askOnce(kurz.port, { target: `/${slug}` })).status;

beforeAll(async () => {
  await visit(known.slug);
  disk.fill();
  const refused = await createUntilRefused();
  expect(refused.status).toBe(503);
}, TIMEOUT_MS);

test(
  "on a full disk every write is answered with 503 and Retry-After in the envelope",
  async () => {
    const writes: [method: string, path: string, body?: unknown][] = [
      ["POST", "/links", { destination_url: "https://example.com/" }],
      ["PATCH", `/links/${known.id}`, { title: "y".repeat(200) }],
      ["POST", `/links/${known.id}/pause`],
      ["DELETE", `/links/${known.id}`],
    ];
    for (const [method, path, body] of writes) {
      const answer = await api.ask(method, path, body);
      expect([method, answer.status]).toEqual([method, 503]);
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
      expect(await answer.json()).toMatchObject({ error: { code: "unavailable" } });
    }
  },
  TIMEOUT_MS,
);

test(
  "on a full disk the API keeps reading, and refused writes leave no trace",
  async () => {
    expect((await api.ask("GET", "/me")).status).toBe(200);
    expect(await api.get(known.id)).toEqual(known);
    expect((await api.list()).length).toBe(1 + neverVisited.length + acknowledged.length);
    expect((await api.ask("GET", `/links?q=${known.slug}`)).status).toBe(200);
  },
  TIMEOUT_MS,
);

test(
  "on a full disk links keep redirecting, even those never visited before",
  async () => {
    expect(await visit(known.slug)).toBe(302);
    const statuses = await Promise.all(neverVisited.slice(0, 25).map(({ slug }) => visit(slug)));
    expect(new Set(statuses)).toEqual(new Set([302]));
  },
  TIMEOUT_MS,
);

test(
  "on a full disk an operator command says so in one line",
  async () => {
    const { code, stdout, stderr } = await kurz.kurz(["accounts", "suspend", account]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.trim().split("\n").length).toBe(1);
  },
  TIMEOUT_MS,
);

test(
  "a control killed on a full disk comes back to read, while links keep redirecting",
  async () => {
    const statuses = new Set<number>();
    const load = startLoad(2, async () => {
      statuses.add(await visit(known.slug));
      const { slug } = neverVisited.pop() ?? known;
      statuses.add(await visit(slug));
    });
    const killed = signalFirst(kurz.processes("control"), "SIGKILL");
    await until("it is gone", () => !isAlive(killed));
    await until("the API reads again", async () => {
      const { status } = await api.ask("GET", "/me");
      expect([200, 503]).toContain(status);
      return status === 200;
    });
    await load.stop();
    expect([...statuses]).toEqual([302]);
    expect((await createUntilRefused()).status).toBe(503);
  },
  TIMEOUT_MS,
);

test(
  "a redirect process killed on a full disk is replaced by one that redirects",
  async () => {
    const killed = signalFirst(kurz.processes("redirect"), "SIGKILL");
    await until("it is gone", () => !isAlive(killed));
    await until("its successor listens", () => countListeners(kurz.port) === 2);
    const statuses: number[] = [];
    for (let visits = 0; visits < 40; visits += 1) statuses.push(await visit(known.slug));
    expect(new Set(statuses)).toEqual(new Set([302]));
  },
  TIMEOUT_MS,
);

test(
  "once there is space, writes work, everything acknowledged exists and the data is intact",
  async () => {
    expect(integrity()).toEqual([{ integrity_check: "ok" }]);
    disk.free();
    await until("writes work", async () => (await api.ask("POST", `/links/${known.id}/pause`)).status === 200);
    expect(await visit(known.slug)).toBe(404);
    await api.act(known.id, "resume");
    expect(await visit(known.slug)).toBe(302);
    const { id } = await api.create();
    const ids = new Set((await api.list()).map((link) => link.id));
    expect([known.id, id, ...acknowledged].filter((wanted) => !ids.has(wanted))).toEqual([]);
    expect(integrity()).toEqual([{ integrity_check: "ok" }]);
  },
  TIMEOUT_MS,
);
