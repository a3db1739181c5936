import type { ClickHouseSettings } from "@clickhouse/client";
import { type ClickHouseSession, isUnfinished } from "./session.ts";

/** Whether the tables are on one server, or copied to all servers of a cluster. */
export interface Layout {
  /** Follows the name in statements that create something. */
  readonly onCluster: string;
  readonly engine: string;
  /** Recognises an insert that arrives twice. */
  readonly deduplication: string;
  /** Sent with every statement. */
  readonly settings: ClickHouseSettings;
  readonly isReplicated: boolean;
}

const REMEMBERED_INSERTS = 10_000;

// The client doesn't list it.
const ACTIVE_ONLY: string = "throw_only_active";

const oneServer: Layout = {
  onCluster: "",
  engine: "MergeTree",
  deduplication: `non_replicated_deduplication_window = ${REMEMBERED_INSERTS}`,
  settings: {},
  isReplicated: false,
};

/** The name of a cluster in the servers' `remote_servers`; it must have one shard. */
export const layoutOf = (cluster: string | null): Layout =>
  cluster === null
    ? oneServer
    : {
        onCluster: `on cluster '${cluster}'`,
        // Path and name of the copies are the server's defaults, which contain {uuid}, {shard} and {replica}.
        engine: "ReplicatedMergeTree",
        deduplication: `replicated_deduplication_window = ${REMEMBERED_INSERTS}`,
        settings: {
          // The journal is deleted once an insert is acknowledged, so it must be on most servers by then.
          insert_quorum: "auto",
          // Moves and drops of partitions are done on all servers before they are acknowledged; see `runOnAll`.
          alter_sync: "2",
          // Without this, each would wait two minutes for a server that is away.
          replication_wait_for_inactive_replica_timeout: "0",
          // Deletions are acknowledged by one server: all would include those that are away.
          lightweight_deletes_sync: "1",
          mutations_sync: "1",
          // A server that is away gets its tables when it is back.
          distributed_ddl_output_mode: ACTIVE_ONLY as NonNullable<ClickHouseSettings["distributed_ddl_output_mode"]>,
        },
        isReplicated: true,
      };

/** Waits until the server has what others had acknowledged before. */
export async function syncReplica(
  session: ClickHouseSession,
  { isReplicated }: Layout,
  tables: readonly string[],
): Promise<void> {
  if (!isReplicated) return;
  for (const table of tables) await session.run(`system sync replica ${table} lightweight`);
}

/** Changes tables or partitions on all servers. Those that are away do it when they are back. */
export async function runOnAll(session: ClickHouseSession, sql: string, timeoutMs?: number): Promise<void> {
  try {
    await session.run(sql, timeoutMs === undefined ? {} : { timeoutMs });
  } catch (error) {
    if (!isUnfinished(error)) throw error;
  }
}
