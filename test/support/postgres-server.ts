import {
  appendFileSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.ts";
import { type Keeper, keepProcess } from "./kept-process.ts";
import { familyOf, isAlive } from "./process-table.ts";
import { removeAtExit } from "./remove-at-exit.ts";
import type { Certificate } from "./test-ca.ts";
import { until } from "./until.ts";

const VERSIONS = "/usr/lib/postgresql";
const READY_MS_MAX = 180_000;
const SUPERUSER = "postgres";
const ROLE = "kurz";
const PASSWORD = "a password for tests";

/** If set, the directory that new servers begin with a copy of; see `newPostgresTemplate`. */
export const POSTGRES_TEMPLATE = "TEST_POSTGRES_TEMPLATE";

/** Fast rather than durable: what a killed server committed is still there, and no test cuts the power. */
const SETTINGS = {
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "64MB",
  max_connections: "400",
};

export interface PostgresServer {
  readonly port: number;
  /** For a role without special rights, as an operator would create one. */
  urlOf(database: string, host?: string): string;
  /** For a superuser. */
  adminUrlOf(database: string): string;
  /** An empty database, or a copy of another one without connections, that the role owns; returns its name. */
  newDatabase(template?: string): Promise<string>;
  /** Runs statements as a superuser. */
  administer(sql: string, database?: string): Promise<pg.QueryResult>;
  start(): Promise<void>;
  /** Ends the server, by default at once as in a crash; its data stays for another start. */
  stop(signal?: "TERM" | "INT" | "QUIT" | "KILL"): Promise<void>;
  /** Ends the server and deletes its data. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  readonly settings?: Readonly<Record<string, string>>;
  /** Serves other networks, too: the addresses that may connect. */
  readonly clients?: string;
  /** With it, clients may use TLS. */
  readonly certificate?: Certificate;
}

let shared: Promise<PostgresServer> | undefined;

/** One server for all tests of this process. It ends with the process, even if that is killed. */
export function sharedPostgres(): Promise<PostgresServer> {
  shared ??= startPostgres();
  return shared;
}

export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const directory = newDirectory();
  await initialise(directory);
  if (options.clients !== undefined) {
    appendFileSync(join(directory, "data", "pg_hba.conf"), `host all all ${options.clients} scram-sha-256\n`);
  }
  const tls = options.certificate ? tlsSettings(directory, options.certificate) : {};
  const server = serverIn(directory, { ...options, settings: { ...tls, ...options.settings } });
  await orClose(server, async () => {
    await server.start();
    await server.administer(`create role ${ROLE} login password '${PASSWORD}'`);
  });
  return server;
}

/** A server that follows another one; `pg_wal_replay_pause()` makes it lag. */
export async function startReplica(primary: PostgresServer): Promise<PostgresServer> {
  const directory = newDirectory();
  const place = ["-D", join(directory, "data"), "-d", primary.adminUrlOf(SUPERUSER)];
  await run("pg_basebackup", [...place, "-R", "-X", "stream", "-c", "fast", "--no-sync"], directory);
  const server = serverIn(directory, {});
  await orClose(server, () => server.start());
  return server;
}

/** A server that doesn't start leaves nothing behind. */
async function orClose(server: PostgresServer, begin: () => Promise<void>): Promise<void> {
  await begin().catch(async (error: unknown) => {
    await server.close();
    throw error;
  });
}

function serverIn(directory: string, { settings = {}, clients }: PostgresOptions): PostgresServer {
  const port = freePort();
  const programs = findPrograms();
  let keeper: Keeper | undefined;
  let databases = 0;

  const urlOf = (database: string, role = ROLE, host = "127.0.0.1"): string =>
    `postgres://${role}:${encodeURIComponent(PASSWORD)}@${host}:${port}/${database}`;

  const administer = async (sql: string, database = SUPERUSER): Promise<pg.QueryResult> => {
    const client = new pg.Client(urlOf(database, SUPERUSER));
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };

  const server: PostgresServer = {
    port,
    urlOf: (database, host) => urlOf(database, ROLE, host),
    adminUrlOf: (database) => urlOf(database, SUPERUSER),
    administer,

    async newDatabase(template) {
      databases += 1;
      const name = `test_${databases}`;
      await administer(`create database ${name} owner ${ROLE}${template ? ` template ${template}` : ""}`);
      return name;
    },

    async start() {
      const options = Object.entries({ ...SETTINGS, ...settings }).flatMap(([name, value]) => [
        "-c",
        `${name}=${value}`,
      ]);
      const host = clients === undefined ? "127.0.0.1" : "*";
      const place = ["-D", join(directory, "data"), "-p", String(port), "-h", host, "-k", directory];
      const command = asOwner([join(programs, "postgres"), ...place, ...options]);
      keeper = keepProcess({ directory, command, lastSignal: "QUIT" });
      let reason: unknown;
      await until(
        "PostgreSQL is ready",
        () =>
          administer("select 1").then(
            () => true,
            (error: unknown) => {
              reason = error;
              return false;
            },
          ),
        READY_MS_MAX,
      ).catch(async (error: Error) => {
        throw new Error(`${error.message}: ${reason}\n${await Bun.file(join(directory, "log")).text()}`);
      });
    },

    async stop(signal = "QUIT") {
      if (!keeper) return;
      // When their parent is killed they end by themselves, a moment later, and keep another server from starting.
      const family = processesIn(directory);
      keeper.stdin.write(`${signal}\n`);
      await keeper.stdin.end();
      await keeper.exited;
      await until("all its processes are gone", () => !family.some(isAlive), READY_MS_MAX);
      keeper = undefined;
    },

    async close() {
      await server.stop();
      rmSync(directory, { recursive: true, force: true });
    },
  };

  return server;
}

function processesIn(directory: string): number[] {
  const file = join(directory, "data", "postmaster.pid");
  // There is none if the server has ended by itself.
  const main = existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : Number.NaN;
  return Number.isNaN(main) ? [] : familyOf(main);
}

function tlsSettings(directory: string, { cert, key }: Certificate): Readonly<Record<string, string>> {
  const files = { ssl_cert_file: join(directory, "server.crt"), ssl_key_file: join(directory, "server.key") };
  for (const [path, text] of [[files.ssl_cert_file, cert] as const, [files.ssl_key_file, key] as const]) {
    writeFileSync(path, text, { mode: 0o600 });
    takeOver(path);
  }
  return { ssl: "on", ...files };
}

function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), "kurz-postgres-"));
  takeOver(directory);
  return directory;
}

/** The newest installed version, as Debian packages place them. */
function findPrograms(): string {
  const [newest] = [...new Bun.Glob("*/bin/postgres").scanSync(VERSIONS)]
    .map((path) => Number.parseInt(path, 10))
    .sort((a, b) => b - a);
  if (newest === undefined) throw new Error(`PostgreSQL is not installed in ${VERSIONS}`);
  return join(VERSIONS, String(newest), "bin");
}

/**
 * Makes what each server of a run of tests begins with, for `POSTGRES_TEMPLATE`: to copy it takes far less CPU time. The
 * returned directory is removed when this process ends.
 */
export async function newPostgresTemplate(): Promise<string> {
  const directory = newDirectory();
  removeAtExit(directory);
  await initialise(directory);
  return directory;
}

async function initialise(directory: string): Promise<void> {
  const template = process.env[POSTGRES_TEMPLATE];
  if (template !== undefined) {
    return runCommand(["cp", "--archive", join(template, "data"), join(directory, "data")], directory);
  }
  const passwordFile = join(directory, "password");
  writeFileSync(passwordFile, PASSWORD);
  takeOver(passwordFile);
  const options = [
    "-A",
    "scram-sha-256",
    "-U",
    SUPERUSER,
    "--pwfile",
    passwordFile,
    "-E",
    "UTF8",
    "--locale",
    "C.UTF-8",
  ];
  await run("initdb", ["-D", join(directory, "data"), "--no-sync", ...options], directory);
}

const run = (program: string, options: readonly string[], directory: string): Promise<void> =>
  runCommand([join(findPrograms(), program), ...options], directory);

async function runCommand(command: readonly string[], directory: string): Promise<void> {
  const child = Bun.spawn(asOwner(command), { cwd: directory, stdout: "ignore", stderr: "pipe" });
  if ((await child.exited) !== 0) throw new Error(`${command[0]} failed: ${await new Response(child.stderr).text()}`);
}

const isRoot = process.getuid?.() === 0;

/** PostgreSQL refuses to run as root. */
const asOwner = (command: readonly string[]): string[] =>
  isRoot ? ["setpriv", `--reuid=${SUPERUSER}`, `--regid=${SUPERUSER}`, "--clear-groups", ...command] : [...command];

function takeOver(path: string): void {
  if (!isRoot) return;
  // Debian's package gives this directory to the user it creates.
  const { uid, gid } = statSync("/var/lib/postgresql");
  chownSync(path, uid, gid);
}
