import type { Config } from "#config/settings.ts";
import { OperatorMistake } from "#kernel/operator-mistake.ts";

/** Backups are of the data directory; what is on a server is backed up with the server's own tools. */
export function refuseDataOnServers({ databaseUrl, clickhouseUrl }: Config): void {
  const servers = [
    ...(databaseUrl === null ? [] : ["PostgreSQL (DATABASE_URL)"]),
    ...(clickhouseUrl === null ? [] : ["ClickHouse (CLICKHOUSE_URL)"]),
  ];
  if (servers.length === 0) return;
  throw new OperatorMistake(
    `backups are of the data directory, but data is also in ${servers.join(" and ")}; back up and restore a server with its own tools`,
  );
}
