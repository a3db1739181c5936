import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { freePort } from "./free-port.ts";
import type { PostgresServer } from "./postgres-server.ts";
import { until } from "./until.ts";

export interface PgBouncer {
  /** The same database, with a connection to the server for as long as a transaction takes. */
  urlOf(database: string): string;
  stop(): Promise<void>;
}

/** A pooler with fewer connections to the server than its clients have to it. */
export async function startPgBouncer(
  server: PostgresServer,
  connectionsMax: number,
  moreSettings = "",
): Promise<PgBouncer> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-pgbouncer-"));
  const port = freePort();
  const { username, password } = new URL(server.urlOf("any"));
  const users = join(directory, "users");
  const settings = join(directory, "pgbouncer.ini");
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=127.0.0.1 port=${server.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${users}
pool_mode = transaction
default_pool_size = ${connectionsMax}
max_client_conn = 500
${moreSettings}
`,
  );
  // It refuses to run as root.
  const isRoot = process.getuid?.() === 0;
  const { uid, gid } = statSync("/var/lib/postgresql");
  if (isRoot) for (const path of [directory, users, settings]) chownSync(path, uid, gid);
  const child = Bun.spawn(["pgbouncer", ...(isRoot ? ["-u", "postgres"] : []), settings], {
    stdio: ["ignore", "ignore", "ignore"],
  });
  const urlOf = (database: string): string => server.urlOf(database).replace(`:${server.port}/`, `:${port}/`);
  await until("PgBouncer answers", async () => {
    const client = new pg.Client(urlOf("postgres"));
    client.on("error", () => {});
    const isUp = await client.connect().then(
      () => true,
      () => false,
    );
    await client.end().catch(() => {});
    return isUp;
  });
  return {
    urlOf,
    async stop() {
      child.kill("SIGKILL");
      await child.exited;
      rmSync(directory, { recursive: true });
    },
  };
}
