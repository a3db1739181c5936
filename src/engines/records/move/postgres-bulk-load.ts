import type pg from "pg";
import { quote } from "./postgres-target.ts";

interface Dropped {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/**
 * Takes away what makes each row expensive to insert, and returns how to bring it back: an index built at the end from
 * all rows takes a fraction of the time, and so does a check of all foreign keys at once. Primary keys stay.
 */
export async function dropForLoad(client: pg.Client, tables: readonly string[]): Promise<() => Promise<void>> {
  const foreignKeys = await findConstraints(client, tables, "f");
  const uniques = await findConstraints(client, tables, "u");
  for (const { table, name } of [...foreignKeys, ...uniques]) {
    await client.query(`alter table ${quote(table)} drop constraint ${quote(name)}`);
  }
  const indexes = await findIndexes(client, tables);
  for (const { name } of indexes) await client.query(`drop index ${quote(name)}`);
  // Rows that triggers would add are copied themselves.
  for (const table of tables) await client.query(`alter table ${quote(table)} disable trigger user`);

  return async () => {
    for (const { definition } of indexes) await client.query(definition);
    for (const { table, name, definition } of [...uniques, ...foreignKeys]) {
      await client.query(`alter table ${quote(table)} add constraint ${quote(name)} ${definition}`);
    }
    for (const table of tables) await client.query(`alter table ${quote(table)} enable trigger user`);
  };
}

async function findConstraints(
  client: pg.Client,
  tables: readonly string[],
  kind: "f" | "u",
): Promise<readonly Dropped[]> {
  const { rows } = await client.query(
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint where contype = $1 and conrelid = any ($2::text[]::regclass[]) order by conrelid::regclass::text, conname`,
    [kind, tables],
  );
  return rows;
}

async function findIndexes(client: pg.Client, tables: readonly string[]): Promise<readonly Dropped[]> {
  const { rows } = await client.query(
    `select indrelid::regclass::text as table, indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition
     from pg_index
     where indrelid = any ($1::text[]::regclass[]) and not exists (select from pg_constraint where conindid = indexrelid)
     order by indexrelid::regclass::text`,
    [tables],
  );
  return rows;
}
