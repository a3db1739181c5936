import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { join } from "node:path";
import { sql } from "kysely";
import { appendChange, findNextChanges } from "#engines/records/changes.ts";
import { migrations } from "#engines/records/migrations/all.ts";
import type { Migration } from "#engines/records/migrations/migration.ts";
import { POSTGRES_BASELINE_ID } from "#engines/records/migrations/postgres-baseline.ts";
import { connectOnce } from "#engines/records/postgres/connect.ts";
import { findPostgresSchema } from "#engines/records/postgres/facts.ts";
import { MIGRATION_LOCK, migratePostgres } from "#engines/records/postgres/migrate.ts";
import { openPostgresRecords } from "#engines/records/postgres/postgres-records.ts";
import { RecordsUnavailable } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { freePort } from "#test/support/free-port.ts";
import { ownKey } from "#test/support/own-key.ts";
import { sharedPostgres, startPostgres } from "#test/support/postgres-server.ts";
import { newTestDatabase, openTestPostgres } from "#test/support/test-postgres.ts";
import { newTestCaller } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import { concurrencyConformance } from "./records.concurrency.suite.ts";
import { recordsConformance } from "./records.suite.ts";

setDefaultTimeout(600_000);

recordsConformance("PostgreSQL", async (onActionError) => {
  const { nodes, close } = await openTestPostgres(1, { onActionError });
  return { records: nodes[0], close };
});

concurrencyConformance("PostgreSQL", () => openTestPostgres(3));

describe("the change log on PostgreSQL", () => {
  test("a change committed late is read after those that overtook it", async () => {
    const { nodes, close } = await openTestPostgres(2);
    const [records, other = records] = nodes;
    const written = Promise.withResolvers<void>();
    const released = Promise.withResolvers<void>();
    const late = records.write(async (tx) => {
      await appendChange(tx, ownKey("late"), 0);
      written.resolve();
      await released.promise;
    });
    await written.promise;
    await other.write((tx) => appendChange(tx, ownKey("early"), 0));
    expect(await findNextChanges(records.read, 0, 10)).toEqual({ after: 0, upTo: 1 });
    released.resolve();
    await late;
    expect(await findNextChanges(other.read, 1, 10)).toEqual({ after: 1, upTo: 2 });
    const rows = await other.read.selectFrom("changes").select(["seq", "key"]).orderBy("seq").execute();
    expect(rows).toEqual([
      { seq: 1, key: ownKey("early") },
      { seq: 2, key: ownKey("late") },
    ]);
    await close();
  });

  test("a transaction that is rolled back leaves no gap", async () => {
    const { nodes, close } = await openTestPostgres(1);
    const [records] = nodes;
    for (let round = 0; round < 5; round += 1) {
      const failed = records.write(async (tx) => {
        await appendChange(tx, ownKey("never"), 0);
        throw new Error("no");
      });
      await expect(failed).rejects.toThrow("no");
      await records.write((tx) => appendChange(tx, ownKey(`round-${round}`), 0));
    }
    const rows = await records.read.selectFrom("changes").select("seq").orderBy("seq").execute();
    expect(rows.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5]);
    await close();
  });
});

describe("migrating PostgreSQL", () => {
  test("ten nodes that start at once migrate once", async () => {
    const server = await sharedPostgres();
    const database = await server.newDatabase();
    const script = join(import.meta.dir, "fixtures", "migrate-postgres.ts");
    const holder = await connectOnce(server.urlOf(database));
    await holder.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
    const children = Array.from({ length: 10 }, () =>
      Bun.spawn([process.execPath, script, server.urlOf(database)], {
        stdout: "pipe",
        stderr: "inherit",
        stdin: "ignore",
      }),
    );
    // All of them have found an empty database, and wait for their turn.
    await until("all wait for the lock", async () => {
      const { rowCount } = await holder.query(
        "select from pg_locks join pg_database on oid = database where locktype = 'advisory' and not granted " +
          "and datname = current_database()",
      );
      return rowCount === children.length;
    });
    await holder.end();
    const applied = await Promise.all(children.map((child) => new Response(child.stdout).text()));
    expect(await Promise.all(children.map((child) => child.exited))).toEqual(Array(10).fill(0));
    expect(applied.map(Number).sort((a, b) => a - b)).toEqual([...Array(9).fill(0), migrations.length]);
  });

  test("the schema of a newer version is left alone", async () => {
    const { database, url } = await newTestDatabase();
    const server = await sharedPostgres();
    await server.administer("insert into migrations values (9999, 'future', 0)", database);
    await expect(migratePostgres(url)).rejects.toThrow("written by a newer Kurz (schema 9999");
  });

  test("while nodes are upgraded, an older one goes on if the newer schema says that it can", async () => {
    const { database, url } = await newTestDatabase();
    const newest = migrations.at(-1)?.id ?? 0;
    const step = (no: number, worksFrom?: number): Migration => ({
      id: newest + no,
      name: `future-${no}`,
      sqlite: "",
      postgres: `create table future_${no} (id bigint)`,
      ...(worksFrom !== undefined && { worksFrom }),
    });
    const added = [step(1, newest), step(2, newest - 1)];
    expect(await migratePostgres(url, [...migrations, ...added])).toMatchObject({ version: newest + 2 });
    expect(await migratePostgres(url)).toEqual({ applied: [], version: newest + 2 });
    expect(await findPostgresSchema(url)).toEqual({ version: newest + 2, worksFrom: newest });
    const records = await openPostgresRecords({ url });
    await records.write((tx) => appendChange(tx, ownKey("still-writes"), 0));
    await records.close();
    // A step that takes something away needs all nodes to know what replaces it.
    const removing = step(3, newest + 1);
    expect(await migratePostgres(url, [...migrations, ...added, removing])).toMatchObject({ version: newest + 3 });
    await expect(migratePostgres(url)).rejects.toThrow(`written by a newer Kurz (schema ${newest + 3}`);
    expect(await migratePostgres(url, [...migrations, ...added.slice(0, 1)])).toMatchObject({ version: newest + 3 });
    const server = await sharedPostgres();
    expect((await server.administer("select id from migrations", database)).rowCount).toBe(newest + 3);
  });

  test("older nodes read a table that one step has changed while the next step takes long", async () => {
    const { database, url } = await newTestDatabase();
    const newest = migrations.at(-1)?.id ?? 0;
    const step = (no: number, postgres: string): Migration => ({
      id: newest + no,
      name: `long-${no}`,
      sqlite: "",
      postgres,
      worksFrom: newest,
    });
    const untilTold = "loop exit when exists (select from tombstones); perform pg_sleep(0.01); end loop";
    const steps = [
      step(1, "alter table accounts add later bigint"),
      step(2, `do $$ begin ${untilTold}; end $$`),
      step(3, "create table long_after (no bigint)"),
    ];
    const nodes = [1, 2].map(() => migratePostgres(url, [...migrations, ...steps]));
    await until("the first step is done", async () => (await findPostgresSchema(url))?.version === newest + 1);
    const older = openPostgresRecords({ url });
    expect(await older.read.selectFrom("accounts").select("no").execute()).toEqual([]);
    expect(await findPostgresSchema(url)).toEqual({ version: newest + 1, worksFrom: newest });
    const server = await sharedPostgres();
    await server.administer("insert into tombstones (key, deleted_at) values ('told', 0)", database);
    const applied = (await Promise.all(nodes)).flatMap((report) => report.applied);
    expect(applied.sort()).toEqual(["long-1", "long-2", "long-3"]);
    expect(await findPostgresSchema(url)).toEqual({ version: newest + 3, worksFrom: newest });
    await older.close();
  });

  test("a migration that ended between two steps is taken up again", async () => {
    const { url } = await newTestDatabase();
    const newest = migrations.at(-1)?.id ?? 0;
    const step = (no: number, postgres: string): Migration => ({
      id: newest + no,
      name: `halfway-${no}`,
      sqlite: "",
      postgres,
      worksFrom: newest,
    });
    const first = step(1, "create table halfway (no bigint)");
    const killed = step(2, "alter table halfway add later bigint; select pg_terminate_backend(pg_backend_pid())");
    await expect(migratePostgres(url, [...migrations, first, killed])).rejects.toThrow();
    expect(await migratePostgres(url)).toEqual({ applied: [], version: newest + 1 });
    const second = step(2, "alter table halfway add later bigint");
    expect(await migratePostgres(url, [...migrations, first, second])).toEqual({
      applied: ["halfway-2"],
      version: newest + 2,
    });
  });

  test("every migration since the first schema has a text for PostgreSQL", () => {
    const later = migrations.filter(({ id }) => id > POSTGRES_BASELINE_ID);
    expect(later.filter(({ postgres }) => postgres === undefined)).toEqual([]);
  });

  test("it says what an operator can mend", async () => {
    const server = await sharedPostgres();
    const database = await server.newDatabase();
    const mistakeOf = async (url: string): Promise<string> => {
      const error = await migratePostgres(url).catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(OperatorMistake);
      return String(error);
    };
    const url = server.urlOf(database);
    expect(await mistakeOf(url.replace(/:[^:@]+@/, ":wrong@"))).toMatch(/refuses .*password authentication failed/);
    expect(await mistakeOf(server.urlOf("nowhere"))).toMatch(/refuses .*"nowhere" does not exist/);
    await server.administer(`alter database ${database} owner to postgres; grant create on schema public to kurz`);
    await server.administer("grant create on schema public to kurz", database);
    expect(await mistakeOf(url)).toMatch(/"kurz" may not create the extension pg_trgm.*CREATE EXTENSION pg_trgm/);
    await server.administer("create extension pg_trgm; create extension btree_gin", database);
    expect((await migratePostgres(url)).applied).toHaveLength(migrations.length);
  });

  test("a dump keeps no node from starting; a migration that is due gives up instead of blocking everyone", async () => {
    const { url } = await newTestDatabase();
    const dump = await connectOnce(url);
    await dump.query("begin; lock table migrations, links in access share mode");
    const newest = migrations.at(-1)?.id ?? 0;
    expect(await migratePostgres(url)).toEqual({ applied: [], version: newest });
    const step = (no: number, postgres: string): Migration => ({ id: newest + no, name: "due", sqlite: "", postgres });
    const added = [...migrations, step(1, "create table due (no bigint)")];
    expect(await migratePostgres(url, added)).toMatchObject({ applied: ["due"] });
    const altered = [...added, step(2, "alter table links add due bigint")];
    const failed = migratePostgres(url, altered);
    await expect(failed).rejects.toThrow(RecordsUnavailable);
    await expect(failed).rejects.toThrow("such as a dump");
    await dump.query("commit");
    await dump.end();
    expect(await migratePostgres(url, altered)).toMatchObject({ applied: ["due"] });
  });

  test("an unreachable server isn't the operator's mistake", async () => {
    const unreachable = migratePostgres(`postgres://kurz@127.0.0.1:${freePort()}/kurz`);
    await expect(unreachable).rejects.toThrow(RecordsUnavailable);
  });
});

test("a lost server fails what is under way, and is used again once it is back", async () => {
  const server = await startPostgres();
  const url = server.urlOf(await server.newDatabase());
  await migratePostgres(url);
  const records = openPostgresRecords({ url });
  const { accountNo } = await newTestCaller(records);
  const count = async (): Promise<number> => (await records.read.selectFrom("changes").select("seq").execute()).length;
  for (const signal of ["QUIT", "KILL"] as const) {
    const before = await count();
    const begun = Promise.withResolvers<void>();
    const stopped = Promise.withResolvers<void>();
    const interrupted = records.write(async (tx) => {
      await appendChange(tx, ownKey("interrupted"), 0);
      begun.resolve();
      await stopped.promise;
      await tx.selectFrom("accounts").select("no").where("no", "=", accountNo).execute();
    });
    interrupted.catch(() => {});
    await begun.promise;
    await server.stop(signal);
    stopped.resolve();
    await expect(interrupted).rejects.toBeInstanceOf(RecordsUnavailable);
    for (const sql of [records.read, records.scan]) {
      await expect(sql.selectFrom("accounts").select("no").execute()).rejects.toBeInstanceOf(RecordsUnavailable);
    }
    await expect(records.write(async () => {})).rejects.toBeInstanceOf(RecordsUnavailable);
    await server.start();
    await until("it is used again", () =>
      records
        .write((tx) => appendChange(tx, ownKey("back"), 0))
        .then(
          () => true,
          () => false,
        ),
    );
    expect(await count()).toBe(before + 1);
  }
  await records.close();
  await server.close();
});

/** Ends its own connection, as an operator, a restarted pooler or a server that had enough of it does. */
const hangUp = sql`select pg_terminate_backend(pg_backend_pid())`;

test("a write that loses its connection before the commit runs once more, and is made once", async () => {
  const { nodes, close } = await openTestPostgres(1);
  const [records] = nodes;
  const attempts: number[] = [];
  const writeUnless = (isLost: (attempt: number) => boolean): Promise<void> => {
    let attempt = 0;
    return records.write(async (tx) => {
      attempt += 1;
      attempts.push(attempt);
      await appendChange(tx, ownKey("lost"), 0);
      if (isLost(attempt)) await hangUp.execute(tx);
    });
  };
  await writeUnless((attempt) => attempt === 1);
  expect(attempts).toEqual([1, 2]);
  expect(await records.read.selectFrom("changes").select("key").execute()).toEqual([{ key: ownKey("lost") }]);
  await expect(writeUnless(() => true)).rejects.toBeInstanceOf(RecordsUnavailable);
  expect(attempts).toEqual([1, 2, 1, 2]);
  expect(await records.read.selectFrom("changes").select("key").execute()).toHaveLength(1);
  await close();
});

test("a write that loses its connection while it is committed isn't repeated, since it may be made", async () => {
  const { nodes, close } = await openTestPostgres(1);
  const [records] = nodes;
  await sql`create function hang_up () returns trigger language plpgsql as $$ begin
    perform pg_terminate_backend(pg_backend_pid()); return null; end $$`.execute(records.read);
  await sql`create constraint trigger hang_up after insert on unnumbered_changes deferrable initially deferred
    for each row execute function hang_up()`.execute(records.read);
  let attempts = 0;
  const interrupted = records.write(async (tx) => {
    attempts += 1;
    await appendChange(tx, ownKey("lost"), 0);
  });
  await expect(interrupted).rejects.toBeInstanceOf(RecordsUnavailable);
  expect(attempts).toBe(1);
  await close();
});

test("the next write of a queue is committed while the one before is announced, and tells of it only then", async () => {
  const { url } = await newTestDatabase();
  const isAnnounced = Promise.withResolvers<void>();
  const records = openPostgresRecords({ url, afterCommit: () => isAnnounced.promise });
  const queue = { queue: "one" };
  const countChanges = async (sql: Sql): Promise<number> =>
    (await sql.selectFrom("changes").select("seq").execute()).length;
  const change = (): Promise<void> => records.write((tx) => appendChange(tx, ownKey("queued"), 0), queue);
  const [first, second] = [change(), change()];
  await until("both are committed", async () => (await countChanges(records.read)) === 2);
  const told: string[] = [];
  const looking = records.write(countChanges, queue).then((count) => told.push(`${count} changes`));
  const elsewhere = records.write(countChanges, { queue: "two" }).then(() => told.push("another queue"));
  await elsewhere;
  const later = records.write(countChanges, { queue: "two" }).then(() => told.push("and again"));
  await later;
  isAnnounced.resolve();
  await Promise.all([first, second, looking]);
  expect(told).toEqual(["another queue", "and again", "2 changes"]);
  await records.close();
});

test("a transaction that ignores a failed statement isn't taken for committed", async () => {
  const { nodes, close } = await openTestPostgres(1);
  const [records] = nodes;
  const ignoring = records.write(async (tx) => {
    await appendChange(tx, ownKey("ignored"), 0);
    await sql`select 1 / 0`.execute(tx).catch(() => {});
  });
  await expect(ignoring).rejects.toThrow("nothing was committed");
  expect(await records.read.selectFrom("changes").select("seq").where("key", "=", ownKey("ignored")).execute()).toEqual(
    [],
  );
  await close();
});

test("a statement that takes too long is given up on the server, too", async () => {
  const { nodes, database, close } = await openTestPostgres(1);
  const [records] = nodes;
  await expect(sql`select pg_sleep(60)`.execute(records.scan)).rejects.toBeInstanceOf(RecordsUnavailable);
  const server = await sharedPostgres();
  const running = `select 1 from pg_stat_activity where datname = '${database}' and query like '%pg_sleep%' and state = 'active'`;
  await until("nothing sleeps", async () => (await server.administer(running)).rows.length === 0);
  await close();
});
