import type { KurzServer } from "./kurz-server.ts";
import { connectionOwners } from "./process-table.ts";
import { RawConnection } from "./raw-connection.ts";

export interface OwnedConnection {
  readonly connection: RawConnection;
  /** The redirect process at the other end. */
  readonly pid: number;
}

const TRIES_MAX = 200;

/** Exactly `each` connections to every redirect process. The kernel alone decides which process one reaches. */
export async function openToEveryProcess(kurz: KurzServer, each: number): Promise<OwnedConnection[]> {
  const pids = kurz.processes("redirect");
  const held = new Map(pids.map((pid) => [pid, [] as OwnedConnection[]]));
  for (let tries = 0; [...held.values()].some(({ length }) => length < each); tries += 1) {
    if (tries === TRIES_MAX) throw new Error(`${TRIES_MAX} connections did not reach every redirect process`);
    const connection = await RawConnection.open(kurz.port);
    // Once answered, it has been accepted and has an owner.
    await connection.request({ target: "/healthz" });
    const pid = connectionOwners(kurz.port, pids).get(connection.clientPort);
    const owned = pid === undefined ? undefined : held.get(pid);
    if (pid !== undefined && owned && owned.length < each) owned.push({ connection, pid });
    else connection.close();
  }
  return [...held.values()].flat();
}
