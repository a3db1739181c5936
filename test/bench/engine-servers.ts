import { type PostgresServer, startPostgres } from "#test/support/postgres-server.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { cpuMicrosOf, cpuMicrosOfTree, parentOf } from "./process-figures.ts";

/** As durable and as warm as a server for others to rely on: tests prefer a fast one. */
const SETTINGS = {
  fsync: "on",
  full_page_writes: "on",
  shared_buffers: "1GB",
  max_wal_size: "4GB",
  maintenance_work_mem: "512MB",
};

/** The servers that nodes share, each with the CPU time it has used so far, in microseconds. */
export interface EngineServers {
  readonly postgres: PostgresServer;
  readonly redis: RedisServer;
  postgresMicros(): number;
  redisMicros(): number;
  close(): Promise<void>;
}

export async function startEngineServers(): Promise<EngineServers> {
  const postgres = await startPostgres({ settings: SETTINGS });
  const redis = await startRedisServer();
  const { rows } = await postgres.administer("select pid from pg_stat_activity where backend_type = 'checkpointer'");
  const postmaster = parentOf(Number(rows[0]?.pid));
  if (postmaster === undefined) throw new Error("the process of PostgreSQL was not found");
  const redisPid = Number(/process_id:(\d+)/.exec(await redis.cli("info", "server"))?.[1]);
  return {
    postgres,
    redis,
    postgresMicros: () => cpuMicrosOfTree(postmaster),
    redisMicros: () => cpuMicrosOf([redisPid]),
    async close() {
      await redis.stop();
      await postgres.close();
    },
  };
}
