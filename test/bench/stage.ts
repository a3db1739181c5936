import { rmSync } from "node:fs";
import { join } from "node:path";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { loopbackWebhooks } from "#test/support/webhook-receiver.ts";
import { copyRecords } from "./data/copy-records.ts";
import { type PreparedData, prepareData } from "./data/prepared-data.ts";
import { type EngineServers, startEngineServers } from "./engine-servers.ts";
import { type MeasuredNginx, startRedirectingNginx } from "./nginx.ts";
import { runWrk } from "./wrk.ts";

/** A running Kurz with links in it. */
export interface Subject {
  readonly server: KurzServer;
  readonly data: PreparedData;
  readonly bigToken: string;
  readonly smallToken: string;
  /** Supervisor, redirect and control. */
  readonly all: readonly number[];
  readonly redirect: readonly number[];
  readonly control: readonly number[];
}

/** One redirect process, as in the targets, behind a proxy, without rate limits. */
export const SUBJECT_ENV = {
  KURZ_REDIRECT_PROCESSES: "1",
  KURZ_RATE_LIMIT_PER_MINUTE: "0",
  KURZ_TRUST_PROXY: "1",
  ...loopbackWebhooks,
};

/** The same with its records on PostgreSQL and its coordination on Redis. */
export interface SubjectOnServers extends Subject {
  readonly database: string;
}

/** Servers on the same data, one after the other: each must be stopped before the next is started. */
export interface Starts {
  readonly data: PreparedData;
  start(): Promise<Subject & AsyncDisposable>;
}

interface Place {
  readonly data: PreparedData;
  readonly env: Readonly<Record<string, string>>;
}

const SECRET_KEY = "a secret key for benches that all nodes of a deployment share";

const SMALL_LINKS = 1000;
const LARGE_LINKS = { full: 1_000_000, quick: 100_000 };
const ROUNDS = { full: 7, quick: 2 };
/** How many of the popular paths bursts use. */
export const POPULAR_LINES = 100_000;

/** The servers under test, started when first needed and stopped at the end. */
export class Stage {
  readonly rounds: number;
  readonly largeLinks: number;
  readonly #pace: "full" | "quick";
  readonly #subjects = new Map<number, Promise<Subject>>();
  /** Undoes everything that was started, even by a start that failed halfway. */
  readonly #undo = new AsyncDisposableStack();
  readonly #subjectsOnServers = new Map<number, Promise<SubjectOnServers>>();
  #nginx: Promise<MeasuredNginx> | undefined;
  #servers: Promise<EngineServers> | undefined;

  constructor(isQuick: boolean) {
    this.#pace = isQuick ? "quick" : "full";
    this.rounds = ROUNDS[this.#pace];
    this.largeLinks = LARGE_LINKS[this.#pace];
  }

  get isQuick(): boolean {
    return this.#pace === "quick";
  }

  say(text: string): void {
    process.stderr.write(`  ${text} …\n`);
  }

  nginx(): Promise<MeasuredNginx> {
    this.#nginx ??= this.#startNginx();
    return this.#nginx;
  }

  small(): Promise<Subject> {
    return this.#subject(SMALL_LINKS);
  }

  large(): Promise<Subject> {
    return this.#subject(this.largeLinks);
  }

  /** PostgreSQL and Redis, for subjects that have their data there. */
  servers(): Promise<EngineServers> {
    this.#servers ??= this.#startServers();
    return this.#servers;
  }

  smallOnServers(): Promise<SubjectOnServers> {
    return this.#subjectOnServers(SMALL_LINKS);
  }

  largeOnServers(): Promise<SubjectOnServers> {
    return this.#subjectOnServers(this.largeLinks);
  }

  /** A server of a single bench, with the small data and settings of its own. */
  async smallWith(env: Readonly<Record<string, string>>): Promise<Subject> {
    return this.#start({ data: await this.#prepareData(SMALL_LINKS), env });
  }

  async smallStarts(): Promise<Starts> {
    const data = await this.#prepareData(SMALL_LINKS);
    return { data, start: () => this.#startOnce({ data, env: {} }) };
  }

  async smallStartsOnServers(): Promise<Starts> {
    const place = await this.#placeOnServers(SMALL_LINKS);
    return { data: place.data, start: () => this.#startOnce(place) };
  }

  prepare(size: "small" | "large"): Promise<PreparedData> {
    return prepareData(size === "small" ? SMALL_LINKS : this.largeLinks, (text) => this.say(text));
  }

  async close(): Promise<void> {
    await Promise.allSettled([
      this.#nginx,
      this.#servers,
      ...this.#subjects.values(),
      ...this.#subjectsOnServers.values(),
    ]);
    await this.#undo.disposeAsync();
  }

  #subject(links: number): Promise<Subject> {
    const known = this.#subjects.get(links);
    if (known) return known;
    const starting = this.#startSubject(links);
    this.#subjects.set(links, starting);
    return starting;
  }

  #subjectOnServers(links: number): Promise<SubjectOnServers> {
    const known = this.#subjectsOnServers.get(links);
    if (known) return known;
    const starting = this.#startSubjectOnServers(links);
    this.#subjectsOnServers.set(links, starting);
    return starting;
  }

  async #startServers(): Promise<EngineServers> {
    const servers = await startEngineServers();
    this.#undo.defer(() => servers.close());
    return servers;
  }

  async #startNginx(): Promise<MeasuredNginx> {
    const nginx = await startRedirectingNginx();
    this.#undo.defer(() => nginx.stop());
    return nginx;
  }

  async #startSubject(links: number): Promise<Subject> {
    return this.#start({ data: await this.#prepareData(links), env: {} });
  }

  async #startSubjectOnServers(links: number): Promise<SubjectOnServers> {
    const place = await this.#placeOnServers(links);
    return { ...(await this.#start(place)), database: place.database };
  }

  async #placeOnServers(links: number): Promise<Place & { readonly database: string }> {
    const [servers, data] = await Promise.all([this.servers(), this.#prepareData(links)]);
    this.say(`copying ${links.toLocaleString("en")} links to PostgreSQL`);
    const database = await copyRecords(data.dataDir, servers.postgres);
    // Nothing of the records must be left in the directory, or it might be used.
    for (const suffix of ["", "-wal", "-shm"]) rmSync(join(data.dataDir, `records.db${suffix}`), { force: true });
    const env = {
      DATABASE_URL: servers.postgres.urlOf(database),
      REDIS_URL: servers.redis.url,
      KURZ_SECRET_KEY: SECRET_KEY,
    };
    return { data, env, database };
  }

  async #prepareData(links: number): Promise<PreparedData> {
    const data = await prepareData(links, (text) => this.say(text));
    this.#undo.defer(() => rmSync(data.dataDir, { recursive: true, force: true }));
    return data;
  }

  async #startOnce(place: Place): Promise<Subject & AsyncDisposable> {
    // Also stopped when the bench is interrupted; a second time does nothing.
    const life = this.#undo.use(new AsyncDisposableStack());
    const subject = await this.#start(place, life);
    return { ...subject, [Symbol.asyncDispose]: () => life.disposeAsync() };
  }

  async #start({ data, env }: Place, life = this.#undo): Promise<Subject> {
    const server = await startKurz({ dataDir: data.dataDir, env: { ...SUBJECT_ENV, ...env } });
    life.defer(async () => void (await server.stop()));
    const [redirect, control] = [server.processes("redirect"), server.processes("control")];
    const subject = {
      server,
      data,
      bigToken: await server.newToken(data.bigAccount),
      smallToken: await server.newToken(data.smallAccount),
      // Without other children: in a new checkout it may still be building the console.
      all: [server.supervisor.pid, ...redirect, ...control],
      redirect,
      control,
    };
    await openPopular(server.url, data);
    return subject;
  }
}

/** Visits every popular link once, so that the cache is that of a busy server. */
async function openPopular(url: string, { popularFile }: PreparedData): Promise<void> {
  for (let opened = 0; opened < POPULAR_LINES; ) {
    const { requests } = await runWrk({ url, pathFile: popularFile, firstLine: opened, lines: POPULAR_LINES });
    opened += requests;
  }
}
