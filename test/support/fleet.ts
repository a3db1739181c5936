import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Link } from "#contract/link-record.ts";
import type { FleetNetwork } from "./fleet-network.ts";
import { freePort } from "./free-port.ts";
import { type KurzServer, startKurz } from "./kurz-server.ts";
import { LinkApi } from "./link-api.ts";
import { type PostgresServer, startPostgres } from "./postgres-server.ts";
import { type RedisServer, startRedisServer } from "./redis-server.ts";

export interface FleetOptions {
  readonly size: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Each node in a network of its own, instead of all on this machine's loopback interface. */
  readonly network?: FleetNetwork;
}

/** Several nodes of one deployment: whole servers with their own data directories, and the servers that they share. */
export interface Fleet {
  readonly postgres: PostgresServer;
  /** The name of the database that all nodes share. */
  readonly database: string;
  readonly redis: RedisServer;
  /** In order; one that was started again has taken the place of the one before. */
  readonly nodes: readonly KurzServer[];
  readonly account: string;
  /** A client of each node's API, with one token. */
  readonly apis: readonly LinkApi[];
  /** Starts a node that was stopped or killed, with its data and its address. */
  restart(place: number): Promise<void>;
  stop(): Promise<void>;
}

const CREATED_AT_ONCE = 12;
const SECRET_KEY = "a secret key for tests that all nodes of a fleet share";

export async function startFleet({ size, env = {}, network }: FleetOptions): Promise<Fleet> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-fleet-"));
  const closing: (() => unknown)[] = [() => rmSync(directory, { recursive: true, force: true })];
  const stop = async (): Promise<void> => {
    for (const close of closing.toReversed()) await close();
  };
  try {
    const postgres = await startPostgres(network && { clients: network.clients });
    closing.push(() => postgres.close());
    const redis = await startRedisServer(network ? ["--bind", "*", "--protected-mode", "no"] : []);
    closing.push(() => redis.stop());
    const database = await postgres.newDatabase();
    const places = Array.from({ length: size }, (_, place) => ({ place, port: freePort() }));

    const start = ({ place, port }: (typeof places)[number]): Promise<KurzServer> => {
      const own = network?.nodes[place];
      return startKurz({
        dataDir: join(directory, `node-${place}`),
        port,
        ...(own && { network: own }),
        env: {
          DATABASE_URL: postgres.urlOf(database, own?.postgresHost),
          REDIS_URL: `redis://${own?.redisHost ?? "127.0.0.1"}:${redis.port}`,
          KURZ_SECRET_KEY: SECRET_KEY,
          KURZ_NODE_ID: `node-${place}`,
          // A visitor may reach either, whichever has served the link before.
          KURZ_REDIRECT_PROCESSES: "2",
          KURZ_RATE_LIMIT_PER_MINUTE: "0",
          // Visitors and clients come from where they say.
          KURZ_TRUST_PROXY: "1",
          ...env,
        },
      });
    };
    const nodes: KurzServer[] = [];
    closing.push(() => Promise.all(nodes.map((node) => node.stop())));
    const starts = await Promise.allSettled(
      places.map(async (one) => {
        nodes[one.place] = await start(one);
      }),
    );
    // After all have started or failed, so that none is left behind.
    for (const { status, reason } of starts as PromiseRejectedResult[]) if (status === "rejected") throw reason;
    const [first] = nodes as [KurzServer];
    const account = await first.newAccount();
    const token = await first.newToken(account);

    return {
      postgres,
      database,
      redis,
      nodes,
      account,
      apis: nodes.map(({ url }) => new LinkApi(url, token)),
      async restart(place) {
        const found = places[place];
        if (!found) throw new Error(`there is no node ${place}`);
        nodes[place] = await start(found);
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** New links, made on all nodes, some of them at once. */
export async function createOnAll({ apis }: Pick<Fleet, "apis">, count: number): Promise<Link[]> {
  const links: Link[] = [];
  while (links.length < count) {
    const batch = Math.min(CREATED_AT_ONCE, count - links.length);
    links.push(...(await Promise.all(Array.from({ length: batch }, (_, n) => inTurn(apis, n).createPatiently()))));
  }
  return links;
}

/** One of the nodes or clients, in turn. */
export function inTurn<T>(all: readonly T[], turn: number): T {
  const found = all[turn % all.length];
  if (found === undefined) throw new Error("there is none");
  return found;
}
