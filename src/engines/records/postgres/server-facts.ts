import type pg from "pg";
import { reasonOf } from "#kernel/error-text.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import type { RecordsServerPlace } from "../../places.ts";
import { type CopyFacts, FOREIGN_COPY, type RecordsServerFacts } from "../records-server-facts.ts";
import { connectOnce } from "./connect.ts";
import { firstRow } from "./facts.ts";
import { RECORDS_CONNECTIONS } from "./postgres-records.ts";
import { READER_CONNECTIONS } from "./redirect-reader.ts";

const SERVER_SQL = `
select current_setting('server_version') as version, pg_is_in_recovery() as "isStandby", pg_backend_pid() as pid,
  current_setting('fsync') as fsync, current_setting('full_page_writes') as full_page_writes,
  current_setting('synchronous_commit') as synchronous_commit,
  current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer as accepted,
  (extract(epoch from clock_timestamp()) * 1000)::double precision as now`;
const COPY_ATTEMPTS = 5;
const COPY_PAUSE_MS = 1000;
const RISKY = ["fsync", "full_page_writes", "synchronous_commit"] as const;

type ServerRow = Record<(typeof RISKY)[number], string> & {
  readonly version: string;
  readonly isStandby: boolean;
  readonly pid: number;
  readonly accepted: number;
  readonly now: number;
};

const ORIGIN_SQL = `
select (select applied_at from migrations order by id limit 1) as installation,
  (select coalesce(max(seq), 0) from changes)::double precision as seq`;

interface Origin {
  readonly installation: string | null;
  readonly seq: number;
}

/** `redirectProcesses` is how many this node runs. */
export async function inspectPostgres(
  { url, readUrl }: RecordsServerPlace,
  redirectProcesses: number,
): Promise<RecordsServerFacts> {
  const client = await connectOnce(url);
  try {
    const askedAt = performance.now();
    const row = (await firstRow<ServerRow>(client, SERVER_SQL)) as ServerRow;
    const latencyMs = performance.now() - askedAt;
    const perNode = RECORDS_CONNECTIONS + READER_CONNECTIONS * (1 + redirectProcesses);
    return {
      version: `PostgreSQL ${row.version.split(" ")[0]}`,
      latencyMs,
      isStandby: row.isStandby,
      risks: RISKY.filter((name) => row[name] === "off").map((name) => `${name} = off`),
      clockAheadMs: row.now - Date.now(),
      connections: isPooled(client, row.pid) ? null : { accepted: row.accepted, perNode },
      copy: readUrl === null ? null : await inspectCopy(client, readUrl),
    };
  } finally {
    await client.end();
  }
}

/** A pooler gives a connection another number than the server that answers. */
const isPooled = (client: pg.Client, pid: number): boolean =>
  (client as unknown as { processID: number | null }).processID !== pid;

/** Returns why the copy can't be used at the moment; `null` if it can, or if there is none. */
export async function findCopyProblem({ url, readUrl }: RecordsServerPlace): Promise<string | null> {
  if (readUrl === null) return null;
  const client = await connectOnce(url);
  try {
    // After a move, a replica that lags still shows what was there before.
    for (let attempt = 0; attempt < COPY_ATTEMPTS; attempt += 1) {
      if (attempt > 0) await Bun.sleep(COPY_PAUSE_MS);
      const facts = await inspectCopy(client, readUrl);
      if ("problem" in facts) return facts.problem;
      if (facts.isSameInstallation) return null;
    }
  } finally {
    await client.end();
  }
  throw new OperatorMistake(FOREIGN_COPY);
}

async function inspectCopy(server: pg.Client, readUrl: string): Promise<CopyFacts> {
  const copy = await connectOnce(readUrl, "kurz", "DATABASE_READ_URL").catch(reasonOf);
  if (typeof copy === "string") return { problem: copy };
  try {
    const found = await firstRow<Origin>(copy, ORIGIN_SQL).catch(reasonOf);
    if (typeof found === "string") return { problem: `DATABASE_READ_URL: ${found}` };
    if (!found?.installation) return { problem: "DATABASE_READ_URL has no tables of Kurz yet" };
    // Asked for second, so that it can't be behind its copy.
    const own = await firstRow<Origin>(server, ORIGIN_SQL);
    return {
      isSameInstallation: found.installation === own?.installation,
      changesBehind: (own?.seq ?? 0) - found.seq,
    };
  } finally {
    await copy.end();
  }
}
