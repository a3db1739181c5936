import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Link } from "#contract/link-record.ts";
import { type KurzServer, runKurz, startKurz } from "#test/support/kurz-server.ts";
import { LinkApi } from "#test/support/link-api.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres-server.ts";
import { startRedisServer } from "#test/support/redis-server.ts";
import { type SeenVisit, startVisitors, visitOnce } from "#test/support/steady-visitors.ts";
import { until } from "#test/support/until.ts";

const KNOWN_LINKS = 5;
const VISITS_PER_SECOND = 10;
const SETTLE_MS_MAX = 120_000;
const START_MS_MAX = 180_000;

export interface UpgradeOptions {
  /** The directory of the release before, with its dependencies installed. */
  readonly before: string;
  /** Told what happens next. */
  readonly onStep?: (step: string) => void;
}

export interface UpgradeResult {
  /** Whether the new schema says that nodes of the release before can use it. */
  readonly isShared: boolean;
  /** What happened, against what has to. */
  readonly checks: readonly UpgradeCheck[];
}

export interface UpgradeCheck {
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** Upgrades two nodes of the release before, one after another, beside a third that is new, while visitors come. */
export async function runUpgrade({ before, onStep = () => {} }: UpgradeOptions): Promise<UpgradeResult> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-upgrade-"));
  const [postgres, redis] = await Promise.all([startPostgres(), startRedisServer()]);
  const database = await postgres.newDatabase();
  const running = new Set<KurzServer>();
  const settingsOf = (node: string) => ({
    DATABASE_URL: postgres.urlOf(database),
    REDIS_URL: redis.url,
    KURZ_SECRET_KEY: "a secret key for tests that all nodes share",
    KURZ_REDIRECT_PROCESSES: "1",
    KURZ_RATE_LIMIT_PER_MINUTE: "0",
    KURZ_NODE_ID: node,
  });
  const start = async (node: string, release?: string): Promise<KurzServer> => {
    const options = { env: settingsOf(node), dataDir: join(directory, node), readyMsMax: START_MS_MAX };
    const server = await startKurz({ ...options, ...(release !== undefined && { release }) });
    running.add(server);
    return server;
  };
  const stop = async (server: KurzServer): Promise<void> => {
    running.delete(server);
    await server.stop();
  };

  try {
    onStep("two nodes of the release before start");
    const old = { a: await start("a", before), b: await start("b", before) };
    const token = await old.a.newToken(await old.a.newAccount());
    const oldApi = new LinkApi(old.a.url, token);
    const known = await createLinks(oldApi, KNOWN_LINKS);
    const [unseen, pausedOnNew, pausedOnOld] = await createLinks(oldApi, 3);
    if (!unseen || !pausedOnNew || !pausedOnOld) throw new Error("no links");
    const oldVersion = (await readSchema(postgres, database)).version;

    let visited: readonly KurzServer[] = [old.a, old.b];
    const seen: SeenVisit[] = [];
    const visitors = startVisitors({
      nodes: () => visited,
      perSecond: VISITS_PER_SECOND,
      slugOf: (visit) => known[visit % known.length]?.slug ?? "",
      onVisit: (visit) => seen.push(visit),
    });
    const served = (node: number) =>
      known.every(({ slug }) => seen.some((one) => one.node === node && one.slug === slug && one.outcome === 302));
    await until("both nodes have served every link", () => served(0) && served(1));
    const knownAt = performance.now();

    onStep("a node of the new release joins them and migrates the database");
    const fresh = await start("c");
    const api = new LinkApi(fresh.url, token);
    const { worksFrom } = await readSchema(postgres, database);
    const isShared = worksFrom <= oldVersion;
    const checks: UpgradeCheck[] = [];
    const check = (what: string, expected: unknown, found: unknown): void => {
      checks.push({ what, expected: String(expected), found: String(found) });
    };
    /** What visitors get, now or once a busy machine has come to it. */
    const checkVisit = async (what: string, expected: number, server: KurzServer, slug: string): Promise<void> =>
      check(what, expected, await settled(async () => (await visitOnce(server, slug)).outcome, expected));

    onStep(`nodes of the release before ${isShared ? "go on with it" : "can't use it, and are left running"}`);
    await checkVisit("an old node: a link that it hasn't served yet", isShared ? 302 : 503, old.a, unseen.slug);
    await checkVisit("an old node: a link that doesn't exist", isShared ? 404 : 503, old.a, "missing");
    if (isShared) {
      await checkVisit("an old node: a link created on the new one", 302, old.a, (await api.create()).slug);
      await api.act(pausedOnNew.id, "pause");
      await checkVisit("an old node: a link paused on the new one", 404, old.a, pausedOnNew.slug);
      await oldApi.act(pausedOnOld.id, "pause");
      await checkVisit("the new node: a link paused on an old one", 404, fresh, pausedOnOld.slug);
    }

    onStep("an old node stops, and starts again with its own release");
    visited = [old.a];
    await stop(old.b);
    if (isShared) {
      const again = await start("b", before);
      await checkVisit("an old node that starts again: a link", 302, again, unseen.slug);
      await stop(again);
    } else {
      const environment = { ...settingsOf("b"), KURZ_DATA_DIR: join(directory, "b"), KURZ_METRICS_ADDR: "off" };
      const { stderr } = await runKurz(["serve"], environment, "", before);
      const refusal = "the data was written by a newer Kurz";
      check("an old node that starts again", refusal, stderr.includes(refusal) ? refusal : stderr);
    }

    onStep("the old nodes are upgraded, one after another");
    const upgraded = await start("b");
    visited = [upgraded];
    await stop(old.a);
    visited = [await start("a"), upgraded];
    await until("visitors have come to both", () => seen.slice(-10).some(({ node }) => node === 1));
    await visitors.stop();

    const answers = new Set(seen.filter(({ startedAt }) => startedAt >= knownAt).map(({ outcome }) => outcome));
    // While a node is away, a balancer uses the others.
    answers.delete("refused");
    check("answers to visits of links that the nodes knew", 302, [...answers].join(", "));
    const answered = seen.filter(({ outcome }) => outcome === 302).length;
    const count = async () => {
      const links = await Promise.all(known.map(({ id }) => api.get(id)));
      return links.reduce((sum, { click_count }) => sum + click_count, 0);
    };
    check("clicks counted, of those answered", answered, await settled(count, answered));
    return { isShared, checks };
  } finally {
    await Promise.all([...running].map((server) => server.stop()));
    await Promise.all([postgres.close(), redis.stop()]);
    rmSync(directory, { recursive: true, force: true });
  }
}

async function createLinks(api: LinkApi, count: number): Promise<readonly Link[]> {
  const links: Link[] = [];
  for (let no = 0; no < count; no += 1) links.push(await api.create());
  return links;
}

/** The value once it is the expected one, or the last one. */
async function settled<T>(read: () => Promise<T>, expected: T): Promise<T> {
  let last = await read();
  await until(
    String(expected),
    async () => {
      last = await read();
      return last === expected;
    },
    SETTLE_MS_MAX,
  ).catch(() => {});
  return last;
}

async function readSchema(postgres: PostgresServer, database: string) {
  const { rows } = await postgres.administer(
    "select max(id)::integer as version, max(coalesce(works_from, id))::integer as works_from from migrations",
    database,
  );
  return { version: Number(rows[0]?.version), worksFrom: Number(rows[0]?.works_from) };
}
