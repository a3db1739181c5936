import type { Fleet } from "#test/support/fleet.ts";
import type { FleetNetwork, SharedServer } from "#test/support/fleet-network.ts";
import { signalFirst } from "#test/support/process-table.ts";

/** Something that breaks for some time, and the nodes that it takes from their visitors or from PostgreSQL. */
export interface Fault {
  readonly name: string;
  /** Nodes that can't reach PostgreSQL meanwhile. */
  readonly withoutRecords: readonly number[];
  /** Nodes that aren't there meanwhile. */
  readonly dead: readonly number[];
  /** Whether a change of a link on one node still reaches all others. */
  readonly isFollowed: boolean;
  begin(): Promise<void>;
  end(): Promise<void>;
}

const ALL = [0, 1, 2];
const VICTIM = 2;

export function faultsOf(fleet: Fleet, network: FleetNetwork): Fault[] {
  const victim = network.nodes[VICTIM];
  if (!victim) throw new Error("there are too few nodes");
  const { postgres, redis } = fleet;
  const cut = (name: string, ...servers: readonly SharedServer[]): Fault => ({
    name,
    withoutRecords: servers.includes("postgres") ? [VICTIM] : [],
    dead: [],
    isFollowed: !servers.includes("postgres"),
    begin: async () => servers.forEach(victim.cut),
    end: async () => servers.forEach(victim.mend),
  });
  return [
    {
      name: "PostgreSQL stopped",
      withoutRecords: ALL,
      dead: [],
      isFollowed: false,
      begin: () => postgres.stop("INT"),
      end: () => postgres.start(),
    },
    {
      name: "PostgreSQL killed",
      withoutRecords: ALL,
      dead: [],
      isFollowed: false,
      begin: () => postgres.stop("KILL"),
      end: () => postgres.start(),
    },
    {
      name: "Redis stopped",
      withoutRecords: [],
      dead: [],
      isFollowed: true,
      begin: () => redis.kill(),
      end: () => redis.start(),
    },
    {
      // The other one starts again meanwhile, and must not forget what it shares with the one that is away.
      name: "a node killed, and control of another",
      withoutRecords: [],
      dead: [VICTIM],
      isFollowed: false,
      async begin() {
        await fleet.nodes[VICTIM]?.kill();
        signalFirst(fleet.nodes[0]?.processes("control") ?? [], "SIGKILL");
      },
      end: () => fleet.restart(VICTIM),
    },
    cut("PostgreSQL cut off from a node", "postgres"),
    cut("Redis cut off from a node", "redis"),
    cut("both cut off from a node", "postgres", "redis"),
  ];
}
