import { afterAll, beforeAll, expect, test } from "bun:test";
import { openToEveryProcess } from "#test/support/kept-connections.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { startLoad } from "#test/support/load.ts";
import { isAlive, signalFirst } from "#test/support/process-table.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import type { RawAnswer } from "#test/support/raw-message.ts";
import { until } from "#test/support/until.ts";

const KILLS = 4;
const PAUSED_VISITS = 12;
// A process that isn't connected to control yet reads the log of changes before each visit. If that takes longer than
// this, it is as if the disk didn't respond, and the cache is used until the log is read. The visit that asked for it
// waited as long, so without such a visit no redirect is excused. It may have been any visit since the kill: the cache
// may be in use already when control is back.
const STALLED_MS = 250;
const EXCUSED_ROUNDS_MAX = 4;
const CREATED_BEFORE_KILL = 40;
const RETRY_MS = 10;
// Patience for a busy machine, not a promise: the times are printed.
const RECOVERY_MS_MAX = 60_000;

const { kurz, api } = await startKurzWithApi({
  env: { KURZ_REDIRECT_PROCESSES: "2", KURZ_RATE_LIMIT_PER_MINUTE: "0" },
});
const kept = await openToEveryProcess(kurz, 2);
const warmers = await openToEveryProcess(kurz, 1);
afterAll(async () => {
  for (const { connection } of [...kept, ...warmers]) connection.close();
  await kurz.stop();
});

/** When each visit under way began. */
const underWay = new Set<{ readonly startedAt: number }>();
/** How long the slowest visit took that ended since control was killed last. */
let slowestEndedMs = 0;

async function timed<T>(ask: () => Promise<T>): Promise<T> {
  const visit = { startedAt: performance.now() };
  underWay.add(visit);
  try {
    return await ask();
  } finally {
    underWay.delete(visit);
    slowestEndedMs = Math.max(slowestEndedMs, performance.now() - visit.startedAt);
  }
}

/** Of those that ended since the last kill, and those that still wait. */
const slowestVisitMs = (): number =>
  Math.max(slowestEndedMs, ...[...underWay].map(({ startedAt }) => performance.now() - startedAt));

/** What happened while control was killed repeatedly under load. */
const seen = {
  redirects: new Map<string, number>(),
  refusals: [] as RawAnswer[],
  otherAnswers: [] as RawAnswer[],
  recoveriesMs: [] as number[],
  afterPause: [] as number[],
  /** For each round that was repeated, the slowest visit and what the visitors of the paused link got. */
  excused: [] as { readonly slowestMs: number; readonly statuses: readonly number[] }[],
  keys: new Set<string>(),
  idByKey: new Map<string, string>(),
  replayedAsOther: 0,
  retries: 0,
};

const askApi = (): Promise<RawAnswer> =>
  askOnce(kurz.port, { target: "/api/v1/me", headers: [["Authorization", api.authorization]] });

async function openLink(ask: () => Promise<RawAnswer>, how: string): Promise<void> {
  const outcome = await timed(ask).then(
    ({ status }) => `${how}: ${status}`,
    (error) => `${how}: ${error.message}`,
  );
  seen.redirects.set(outcome, (seen.redirects.get(outcome) ?? 0) + 1);
}

/** A well-behaved client: one key per link, repeated until the link is acknowledged. */
async function createWithKey(): Promise<void> {
  const key = crypto.randomUUID();
  seen.keys.add(key);
  for (;;) {
    const id = await tryCreate(key);
    if (id !== undefined) {
      seen.idByKey.set(key, id);
      break;
    }
    seen.retries += 1;
    await Bun.sleep(RETRY_MS);
  }
  // An acknowledgement may get lost, and then the client retries.
  const again = await tryCreate(key);
  if (again !== undefined && again !== seen.idByKey.get(key)) seen.replayedAsOther += 1;
}

async function tryCreate(key: string): Promise<string | undefined> {
  const body = { destination_url: `https://example.com/${key}` };
  const answer = await api.ask("POST", "/links", body, { "idempotency-key": key }).catch(() => undefined);
  if (answer?.status === 201) return ((await answer.json()) as { id: string }).id;
  const text = await answer?.text();
  if (answer && answer.status < 500 && answer.status !== 409) throw new Error(`${answer.status}: ${text}`);
  return undefined;
}

async function watchRecovery(): Promise<void> {
  const killedAt = performance.now();
  await until(
    "the API answers again",
    async () => {
      const answer = await askApi();
      if (answer.status === 503) seen.refusals.push(answer);
      else if (answer.status !== 200) seen.otherAnswers.push(answer);
      return answer.status === 200;
    },
    RECOVERY_MS_MAX,
  );
  seen.recoveriesMs.push(performance.now() - killedAt);
}

beforeAll(async () => {
  const known = await Promise.all(Array.from({ length: 10 }, () => api.create()));
  const cold = await Promise.all(Array.from({ length: 300 }, () => api.create()));
  const paused = await api.create();
  const pathOf = (round: number): string => `/${known[round % known.length]?.slug}`;
  let round = 0;

  const loads = [
    ...kept.map(({ connection }) =>
      startLoad(1, () => openLink(() => connection.request({ target: pathOf(round++) }), "kept connection")),
    ),
    startLoad(2, () => openLink(() => askOnce(kurz.port, { target: pathOf(round++) }), "new connection")),
    startLoad(1, async () => {
      const { slug } = cold.pop() ?? {};
      if (slug !== undefined) await openLink(() => askOnce(kurz.port, { target: `/${slug}` }), "first visit");
      await Bun.sleep(RETRY_MS);
    }),
    startLoad(3, createWithKey),
  ];
  for (let kill = 0; kill < KILLS + seen.excused.length; kill += 1) {
    const before = seen.idByKey.size;
    const isCreating = () => seen.idByKey.size >= before + CREATED_BEFORE_KILL;
    await until("clients create links", isCreating, RECOVERY_MS_MAX);
    slowestEndedMs = 0;
    const killed = signalFirst(kurz.processes("control"), "SIGKILL");
    await until("control is gone", () => !isAlive(killed));
    await watchRecovery();
    await api.act(paused.id, "pause");
    const statuses: number[] = [];
    for (let visit = 0; visit < PAUSED_VISITS; visit += 1) {
      statuses.push((await timed(() => askOnce(kurz.port, { target: `/${paused.slug}` }))).status);
    }
    const slowestMs = slowestVisitMs();
    const isStale = statuses.includes(302) && statuses.every((status) => status === 302 || status === 404);
    if (isStale && slowestMs >= STALLED_MS && seen.excused.length < EXCUSED_ROUNDS_MAX) {
      seen.excused.push({ slowestMs, statuses });
      for (const { connection } of warmers) {
        const isPaused = async () => (await connection.request({ target: `/${paused.slug}` })).status === 404;
        await until("the pause applies", isPaused, RECOVERY_MS_MAX);
      }
    } else seen.afterPause.push(...statuses);
    await api.act(paused.id, "resume");
    for (const { connection } of warmers) await connection.request({ target: `/${paused.slug}` });
  }
  await Promise.all(loads.map((load) => load.stop()));
}, 1_200_000);

test("links keep redirecting while control is down: on open and new connections, cached or never visited", () => {
  expect([...seen.redirects.keys()].sort()).toEqual([
    "first visit: 302",
    "kept connection: 302",
    "new connection: 302",
  ]);
});

test("while control is down the API answers 503 with Retry-After in its envelope, and nothing else", () => {
  expect(seen.refusals.length).toBeGreaterThanOrEqual(KILLS + seen.excused.length);
  for (const { headers, text } of seen.refusals) {
    expect(Number(headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect(JSON.parse(text).error).toMatchObject({ code: "unavailable", request_id: headers.get("x-request-id") });
  }
  expect(seen.otherAnswers).toEqual([]);
});

test("the API is back after each kill", () => {
  process.stderr.write(`the API was back after ${seen.recoveriesMs.map(Math.round).join(", ")} ms\n`);
  expect(seen.recoveriesMs).toHaveLength(KILLS + seen.excused.length);
});

test("every acknowledged link exists, once per key however often the client retried", async () => {
  const links = (await api.list()).filter(({ destination_url }) => seen.keys.has(destination_url.slice(20)));
  expect(seen.retries).toBeGreaterThan(0);
  expect(seen.replayedAsOther).toBe(0);
  expect(links.length).toBe(seen.keys.size);
  expect(new Map(links.map(({ destination_url, id }) => [destination_url.slice(20), id]))).toEqual(seen.idByKey);
});

test("a pause right after control is back applies to the very next visitors, unless the log can't be read", () => {
  process.stderr.write(`${seen.excused.length} of ${seen.recoveriesMs.length} rounds were excused\n`);
  for (const { slowestMs, statuses } of seen.excused)
    process.stderr.write(`excused: a visit took ${Math.round(slowestMs)} ms, and then ${statuses.join(", ")}\n`);
  expect(seen.afterPause).toEqual(Array.from({ length: PAUSED_VISITS * KILLS }, () => 404));
});

test("a hung control is replaced, and links keep redirecting meanwhile", async () => {
  const link = await api.create();
  const statuses = new Set<number>();
  const hung = signalFirst(kurz.processes("control"), "SIGSTOP");
  const load = startLoad(2, async () => {
    statuses.add((await askOnce(kurz.port, { target: `/${link.slug}` })).status);
  });
  // The call waits in the hung process, and is refused when that is killed.
  expect((await askApi()).status).toBe(503);
  expect(kurz.processes("control")).not.toContain(hung);
  await until("the API answers again", async () => (await askApi()).status === 200, RECOVERY_MS_MAX);
  await load.stop();
  expect([...statuses]).toEqual([302]);
});
