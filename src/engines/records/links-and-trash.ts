import type { SelectQueryBuilder } from "kysely";
import type { Database } from "./schema.ts";

type LinkTable = "links" | "deleted_links";

/** The same query of links and of those in the trash, which keep their names, clicks and reports. */
export const linksAndTrash = <Row>(
  query: (table: LinkTable) => SelectQueryBuilder<Database, LinkTable, Row>,
): SelectQueryBuilder<Database, LinkTable, Row> => query("links").unionAll(query("deleted_links"));
