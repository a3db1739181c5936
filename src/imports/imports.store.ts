import type { Selectable } from "kysely";
import type { ImportForecast, ImportState } from "#contract/console/imports.ts";
import { linksAndTrash } from "#engines/records/links-and-trash.ts";
import type { ImportsTable, Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";
import { type ImportOptions, type ImportProgress, noProgress } from "./import-options.ts";

type StoredRow = Selectable<ImportsTable>;

export interface ImportRow extends Omit<StoredRow, "state" | "options" | "progress" | "forecast"> {
  readonly state: ImportState;
  readonly options: ImportOptions;
  readonly progress: ImportProgress;
  readonly forecast: ImportForecast | null;
}

const toRow = (row: StoredRow): ImportRow => ({
  ...row,
  state: row.state as ImportState,
  options: JSON.parse(row.options) as ImportOptions,
  progress: progressOf(JSON.parse(row.progress) as ImportProgress),
  forecast: row.forecast === null ? null : (JSON.parse(row.forecast) as ImportForecast),
});

/** Versions before this one may have stored less. */
const progressOf = (stored: ImportProgress): ImportProgress => ({
  ...noProgress,
  ...stored,
  read: { ...noProgress.read, ...stored.read },
});

type NewImport = Pick<ImportRow, "id" | "account_no" | "source" | "node" | "actor" | "options" | "progress"> & {
  readonly at: number;
};

export async function insertImport(tx: Sql, { at, options, progress, ...row }: NewImport): Promise<ImportRow> {
  const inserted = await tx
    .insertInto("imports")
    .values({
      ...row,
      state: "reading",
      options: JSON.stringify(options),
      progress: JSON.stringify(progress),
      forecast: null,
      problem: null,
      created_at: at,
      updated_at: at,
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  return toRow(inserted);
}

export async function findImport(sql: Sql, accountNo: number, id: string): Promise<ImportRow | undefined> {
  const found = await sql
    .selectFrom("imports")
    .selectAll()
    .where("id", "=", id)
    .where("account_no", "=", accountNo)
    .executeTakeFirst();
  return found && toRow(found);
}

/** Of any account, for the process that does the work. */
export async function findByNo(sql: Sql, no: number): Promise<ImportRow | undefined> {
  const found = await sql.selectFrom("imports").selectAll().where("no", "=", no).executeTakeFirst();
  return found && toRow(found);
}

export async function findAccountOfImport(sql: Sql, id: string): Promise<string | undefined> {
  const found = await sql
    .selectFrom("imports")
    .innerJoin("accounts", "accounts.no", "imports.account_no")
    .select("accounts.id")
    .where("imports.id", "=", id)
    .executeTakeFirst();
  return found?.id;
}

export async function listImportsOf(sql: Sql, accountNo: number, most: number): Promise<ImportRow[]> {
  const rows = await sql
    .selectFrom("imports")
    .selectAll()
    .where("account_no", "=", accountNo)
    .orderBy("no", "desc")
    .limit(most)
    .execute();
  return rows.map(toRow);
}

/** Those that this node has to work on, the oldest first. Those of suspended and removed accounts wait. */
export async function listWorkOf(sql: Sql, node: string): Promise<ImportRow[]> {
  const rows = await sql
    .selectFrom("imports")
    .selectAll()
    .where("node", "=", node)
    .where("state", "in", ["reading", "checking", "running", "undoing"])
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("accounts")
          .select("accounts.no")
          .whereRef("accounts.no", "=", "imports.account_no")
          .where("removed_at", "is", null)
          .where("suspended_at", "is", null),
      ),
    )
    .orderBy("no")
    .execute();
  return rows.map(toRow);
}

export const countOpen = async (sql: Sql, accountNo: number): Promise<number> => {
  const { open } = await sql
    .selectFrom("imports")
    .select((eb) => eb.fn.countAll<number>().as("open"))
    .where("account_no", "=", accountNo)
    .where("state", "in", ["reading", "checking", "checked", "running", "undoing"])
    .executeTakeFirstOrThrow();
  return Number(open);
};

/** Of this node, by when they ended or, if they wait for someone, were last touched. */
export const listIdle = (sql: Sql, node: string) =>
  sql
    .selectFrom("imports")
    .select(["no", "id", "state", "updated_at"])
    .where("node", "=", node)
    .where("state", "not in", ["reading", "checking", "running", "undoing"])
    .execute();

export const listIdsOf = async (sql: Sql, node: string): Promise<string[]> =>
  (await sql.selectFrom("imports").select("id").where("node", "=", node).execute()).map(({ id }) => id);

export async function deleteImport(tx: Sql, no: number): Promise<void> {
  await tx.deleteFrom("imports").where("no", "=", no).execute();
}

export interface ImportChange {
  readonly state?: ImportState;
  readonly node?: string;
  readonly progress?: ImportProgress;
  readonly forecast?: ImportForecast | null;
  readonly problem?: string | null;
  readonly finished_at?: number | null;
}

/** Only in the state that the caller knows: returns whether it was. */
export async function changeImport(
  tx: Sql,
  { no, state }: Pick<ImportRow, "no" | "state">,
  at: number,
  { progress, forecast, ...plain }: ImportChange,
): Promise<boolean> {
  const changed = await tx
    .updateTable("imports")
    .set({
      ...plain,
      ...(progress && { progress: JSON.stringify(progress) }),
      ...(forecast !== undefined && { forecast: forecast && JSON.stringify(forecast) }),
      updated_at: at,
    })
    .where("no", "=", no)
    .where("state", "=", state)
    .executeTakeFirst();
  return changed.numUpdatedRows > 0n;
}

/** One that is being removed, or is suspended, imports nothing. */
export const findWorkingAccount = (sql: Sql, accountNo: number) =>
  sql
    .selectFrom("accounts")
    .select(["id", "plan_id", "active_links"])
    .where("no", "=", accountNo)
    .where("removed_at", "is", null)
    .where("suspended_at", "is", null)
    .executeTakeFirst();

interface SourceIds {
  readonly accountNo: number;
  readonly source: string;
  readonly ids: readonly string[];
}

/** Those that an import has created a link for. */
export async function findImported(sql: Sql, { accountNo, source, ids }: SourceIds): Promise<Set<string>> {
  if (ids.length === 0) return new Set();
  const rows = await sql
    .selectFrom("imported_links")
    .select("source_id")
    .where("account_no", "=", accountNo)
    .where("source", "=", source)
    .where("source_id", "in", ids)
    .execute();
  return new Set(rows.map(({ source_id }) => source_id));
}

const insertOne = statement(
  (sql, row: { account_no: number; source: string; source_id: string; link_no: number; import_no: number }) =>
    sql.insertInto("imported_links").values({
      account_no: row.account_no,
      source: row.source,
      source_id: row.source_id,
      link_no: row.link_no,
      import_no: row.import_no,
    }),
);

export async function insertImported(
  tx: Sql,
  { account_no, source, no }: Pick<ImportRow, "account_no" | "source" | "no">,
  sourceId: string,
  linkNo: number,
): Promise<void> {
  await insertOne(tx, { account_no, source, source_id: sourceId, link_no: linkNo, import_no: no });
}

export interface CountedLink {
  readonly source_id: string;
  readonly link_no: number;
  /** Empty on the instance's own domain. */
  readonly domain: string;
}

/** The links that this import has created, in the trash too. */
export async function findCreated(
  sql: Sql,
  { account_no, source, no }: Pick<ImportRow, "account_no" | "source" | "no">,
  ids: readonly string[],
): Promise<CountedLink[]> {
  if (ids.length === 0) return [];
  const rows = await sql
    .selectFrom("imported_links")
    .leftJoin("links", "links.no", "imported_links.link_no")
    .leftJoin("deleted_links", "deleted_links.no", "imported_links.link_no")
    .select([
      "imported_links.source_id",
      "imported_links.link_no",
      "links.domain_name",
      "deleted_links.domain_name as deleted_domain",
    ])
    .where("imported_links.account_no", "=", account_no)
    .where("imported_links.source", "=", source)
    .where("imported_links.source_id", "in", ids)
    .where("imported_links.import_no", "=", no)
    .execute();
  return rows.map(({ source_id, link_no, domain_name, deleted_domain }) => ({
    ...{ source_id, link_no },
    domain: domain_name ?? deleted_domain ?? "",
  }));
}

/** Some of what an import has created and is still there, with the links' ids. */
export async function listCreated(sql: Sql, importNo: number, most: number): Promise<string[]> {
  const links = await sql
    .selectFrom("imported_links")
    .select("link_no")
    .where("import_no", "=", importNo)
    .limit(most)
    .execute();
  if (links.length === 0) return [];
  const numbers = links.map(({ link_no }) => link_no);
  const rows = await linksAndTrash((table) => sql.selectFrom(table).select("id").where("no", "in", numbers)).execute();
  return rows.map(({ id }) => id);
}
