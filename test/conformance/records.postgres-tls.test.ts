import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import { migratePostgres } from "#engines/records/postgres/migrate.ts";
import { openPostgresRecords } from "#engines/records/postgres/postgres-records.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { type PostgresServer, sharedPostgres, startPostgres } from "#test/support/postgres-server.ts";
import { makeTestCa } from "#test/support/test-ca.ts";

setDefaultTimeout(600_000);

const directory = mkdtempSync(join(tmpdir(), "kurz-tls-"));
const trusted = join(directory, "trusted.pem");
const other = join(directory, "other.pem");

let server: PostgresServer;
let url: string;

beforeAll(async () => {
  const authority = makeTestCa();
  writeFileSync(trusted, authority.ca);
  writeFileSync(other, makeTestCa().ca);
  server = await startPostgres({ certificate: authority.issue("DNS:localhost") });
  url = server.urlOf(await server.newDatabase(), "localhost");
});
afterAll(async () => {
  await server.close();
  rmSync(directory, { recursive: true });
});

const mistakeOf = async (address: string): Promise<string> => {
  const error = await migratePostgres(address).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OperatorMistake);
  expect(String(error)).not.toContain("a%20password");
  return String(error);
};

test.each([
  ["require", ""],
  ["verify-ca", `&sslrootcert=${trusted}`],
  ["verify-full", `&sslrootcert=${trusted}`],
])("sslmode=%s connects with TLS", async (mode, more) => {
  const address = `${url}?sslmode=${mode}${more}`;
  await migratePostgres(address);
  const records = openPostgresRecords({ url: address });
  const question = sql<{ ssl: boolean }>`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
  for (const pool of [records.read, records.scan]) expect((await question.execute(pool)).rows).toEqual([{ ssl: true }]);
  expect((await records.write((tx) => question.execute(tx))).rows).toEqual([{ ssl: true }]);
  await records.close();
});

test("a certificate of another authority is refused", async () => {
  expect(await mistakeOf(`${url}?sslmode=verify-full&sslrootcert=${other}`)).toMatch(
    /can't be trusted: .*sslrootcert=/,
  );
  expect(await mistakeOf(`${url}?sslmode=verify-full`)).toMatch(/can't be trusted: .*sslrootcert=/);
});

test("a certificate of another host is refused, unless only its authority is checked", async () => {
  const byAddress = url.replace("localhost", "127.0.0.1");
  expect(await mistakeOf(`${byAddress}?sslmode=verify-full&sslrootcert=${trusted}`)).toContain("can't be trusted");
  await migratePostgres(`${byAddress}?sslmode=verify-ca&sslrootcert=${trusted}`);
});

test("a server without TLS is refused", async () => {
  const plain = await sharedPostgres();
  expect(await mistakeOf(`${plain.urlOf("postgres")}?sslmode=require`)).toContain("which PostgreSQL at");
});
