import type { Selectable } from "kysely";
import type { LinkVersionsTable, Sql } from "#engines/records/schema.ts";
import { statement } from "#engines/records/statement.ts";

export type VersionRow = Selectable<LinkVersionsTable>;

const insertRow = statement((sql, row: VersionRow) =>
  sql.insertInto("link_versions").values({
    link_no: row.link_no,
    version: row.version,
    at: row.at,
    actor: row.actor,
    via: row.via,
    action: row.action,
    reverted_to: row.reverted_to,
    before: row.before,
    after: row.after,
  }),
);

/** Written with every change, so it is compiled only once. */
export async function insertVersion(tx: Sql, row: VersionRow): Promise<void> {
  await insertRow(tx, row);
}

/** The newest below a version. */
export const listVersionsBelow = (sql: Sql, linkNo: number, version: number, most: number): Promise<VersionRow[]> =>
  sql
    .selectFrom("link_versions")
    .selectAll()
    .where("link_no", "=", linkNo)
    .where("version", "<", version)
    .orderBy("version", "desc")
    .limit(most)
    .execute();

/** The oldest above a version. */
export const listVersionsAbove = (
  sql: Sql,
  linkNo: number,
  version: number,
  most: number,
): Promise<Pick<VersionRow, "version" | "before">[]> =>
  sql
    .selectFrom("link_versions")
    .select(["version", "before"])
    .where("link_no", "=", linkNo)
    .where("version", ">", version)
    .orderBy("version")
    .limit(most)
    .execute();

interface VersionsOf {
  readonly linkNumbers: readonly number[];
  readonly after: Pick<VersionRow, "link_no" | "version"> | undefined;
  readonly most: number;
}

/** Of several links, by link and version. */
export const listVersionsOf = (sql: Sql, { linkNumbers, after, most }: VersionsOf): Promise<VersionRow[]> =>
  sql
    .selectFrom("link_versions")
    .selectAll()
    .where("link_no", "in", linkNumbers)
    .$if(after !== undefined, (query) =>
      query.where((eb) =>
        eb(eb.refTuple("link_no", "version"), ">", eb.tuple(after?.link_no ?? 0, after?.version ?? 0)),
      ),
    )
    .orderBy("link_no")
    .orderBy("version")
    .limit(most)
    .execute();
