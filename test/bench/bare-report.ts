import { Database } from "bun:sqlite";
import { DuckDBInstance } from "@duckdb/node-api";
import type { AccountDimension } from "#contract/analytics.ts";
import { DAY_MS } from "#engines/clicks/slots.ts";
import { ACCOUNT_NO, END_MS, START_MS } from "./data/prepared-clicks.ts";

const scopeOf = (linkNo: number | null): string =>
  `account_no = ${ACCOUNT_NO} and at_ms >= ${START_MS} and at_ms < ${END_MS}${linkNo === null ? "" : ` and link_no = ${linkNo}`}`;

/** The least that a report needs: clicks by day, distinct visitors by day, and both by each dimension. */
export function bareScans(linkNo: number | null, groupBy: readonly AccountDimension[]): readonly string[] {
  const scope = scopeOf(linkNo);
  return [
    `select at_ms // ${DAY_MS}, count(*) filter (not bot), count(*) filter (not bot and source = 'qr'),
      count(*) filter (bot) from clicks where ${scope} group by 1`,
    `select at_ms // ${DAY_MS}, count(distinct visitor) from clicks where ${scope} and not bot group by 1`,
    ...groupBy.map(
      (dimension) =>
        `select ${dimension}, count(*), count(distinct visitor) from clicks where ${scope} and not bot group by 1`,
    ),
  ];
}

export async function openBareDuckDb(path: string) {
  const instance = await DuckDBInstance.create(path, {
    threads: "2",
    memory_limit: "512MB",
    temp_directory: `${path}.tmp`,
    access_mode: "READ_ONLY",
  });
  const connection = await instance.connect();
  return {
    async run(statements: readonly string[]): Promise<void> {
      for (const statement of statements) await connection.run(statement);
    },
    close(): void {
      connection.closeSync();
      instance.closeSync();
    },
  };
}

/** The default report in one pass over rows, as a program without a column store would compute it. */
export function openBareSqlite(path: string) {
  const database = new Database(path, { readonly: true });
  return {
    run(linkNo: number | null): void {
      database
        .query(
          `select at_ms / ${DAY_MS} as day, sum(not bot), sum(not bot and source = 'qr'), sum(bot),
            count(distinct case when not bot then visitor end) from clicks where ${scopeOf(linkNo)} group by day`,
        )
        .all();
    },
    close: () => database.close(),
  };
}
