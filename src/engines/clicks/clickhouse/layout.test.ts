import { describe, expect, test } from "bun:test";
import { type Layout, layoutOf, syncReplica } from "./layout.ts";
import { migrationsFor } from "./schema.ts";
import type { ClickHouseSession } from "./session.ts";

const statementsOf = (layout: Layout) =>
  migrationsFor(layout)
    .flat()
    .map((sql) => sql.replaceAll(/\s+/g, " ").trim());
const tablesOf = (layout: Layout) => statementsOf(layout).filter((sql) => !sql.startsWith("alter "));

// A cluster needs several servers and Keeper, so its statements are only checked as text.
describe("the tables on ClickHouse", () => {
  test("are plain on one server", () => {
    const tables = tablesOf(layoutOf(null));
    expect(tables.length).toBeGreaterThan(8);
    for (const sql of tables) expect(sql).toMatch(/^create table if not exists \w+ \(.* engine = MergeTree /);
    expect(tables[0]).toContain("partition by intDiv(at_ms, 86400000) order by (account_no, link_no, at_ms)");
    expect(tables[0]).toEndWith("non_replicated_deduplication_window = 10000");
    expect(layoutOf(null).settings).toEqual({});
  });

  test("are replicated on every server of a cluster, where most must have an insert before it counts", () => {
    const layout = layoutOf("kurz");
    const tables = tablesOf(layout);
    for (const sql of tables) {
      expect(sql).toMatch(/^create table if not exists \w+ on cluster 'kurz' \(.* engine = ReplicatedMergeTree /);
    }
    expect(tables[0]).toEndWith(" replicated_deduplication_window = 10000");
    expect(layout.settings).toMatchObject({ insert_quorum: "auto", alter_sync: "2" });
    // Servers that are away hold nothing up.
    expect(layout.settings).toMatchObject({
      ...{ lightweight_deletes_sync: "1", mutations_sync: "1", replication_wait_for_inactive_replica_timeout: "0" },
      distributed_ddl_output_mode: "throw_only_active",
    });
  });

  test("are changed on every server, however often nodes that start together do it", () => {
    for (const [cluster, where] of [
      [null, ""],
      ["kurz", "on cluster 'kurz' "],
    ] as const) {
      const changes = statementsOf(layoutOf(cluster)).filter((sql) => sql.startsWith("alter "));
      expect(changes.length).toBeGreaterThan(2);
      for (const sql of changes) {
        const change = /(?:add column if not exists \w+ [\w()]+(?:, |$))+|modify setting \w+ = \d+/.source;
        expect(sql).toMatch(new RegExp(`^alter table \\w+ ${where}(?:${change})$`));
      }
    }
  });

  test("are brought up to date before a node reads how far its journal is stored", async () => {
    const statements: string[] = [];
    const session = { run: async (sql: string) => void statements.push(sql) } as unknown as ClickHouseSession;
    await syncReplica(session, layoutOf("kurz"), ["batches"]);
    await syncReplica(session, layoutOf(null), ["batches"]);
    expect(statements).toEqual(["system sync replica batches lightweight"]);
  });
});
