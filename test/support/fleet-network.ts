import { readlinkSync } from "node:fs";
import type { ServerNetwork } from "./kurz-server.ts";
import { until } from "./until.ts";

/** The network of one node: one cable for visitors and one to each server that all nodes share. */
export interface NodeNetwork extends ServerNetwork {
  readonly postgresHost: string;
  readonly redisHost: string;
  /** From now on packets to and from the server are dropped without a word to either side. */
  cut(server: SharedServer): void;
  mend(server: SharedServer): void;
}

export type SharedServer = "postgres" | "redis";

export interface FleetNetwork {
  readonly nodes: readonly NodeNetwork[];
  /** The addresses from which nodes connect. */
  readonly clients: string;
  /** An address of this process that all nodes reach, as visitors reach them. */
  readonly host: string;
  close(): Promise<void>;
}

const CLIENTS = "10.77.0.0/16";
const HOST = "10.77.255.1";
const CABLES = ["visitors", "postgres", "redis"] as const;
type Cable = (typeof CABLES)[number];

/**
 * A network for each node, joined to that of this process, which must be one of its own (`unshare --net`): the addresses
 * are always the same. Each network ends with a process, and with it its cables.
 */
export async function openFleetNetwork(size: number): Promise<FleetNetwork> {
  ownLoopback();
  ip("addr", "add", `${HOST}/32`, "dev", "lo");
  const nodes = await Promise.all(Array.from({ length: size }, (_, node) => openNodeNetwork(node)));
  return {
    nodes,
    clients: CLIENTS,
    host: HOST,
    async close() {
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

/** A new network has no loopback interface at first. */
export const ownLoopback = (): void => ip("link", "set", "lo", "up");

async function openNodeNetwork(node: number): Promise<NodeNetwork & { close(): Promise<void> }> {
  // It ends with this process, however that ends.
  const holder = Bun.spawn(["unshare", "--net", "cat"], { stdin: "pipe", stdout: "ignore", stderr: "inherit" });
  await until("the network is there", () => networkOf(holder.pid) !== networkOf("self"));
  const enter = ["nsenter", "-t", String(holder.pid), "-n"];
  const within = (...args: readonly string[]): void => run([...enter, "ip", ...args]);
  within("link", "set", "lo", "up");
  for (const [at, cable] of CABLES.entries()) {
    const [here, there] = [nameOf(cable, node), cable];
    ip("link", "add", here, "type", "veth", "peer", "name", there, "netns", String(holder.pid));
    ip("addr", "add", `${addressOf(node, at, 1)}/30`, "dev", here);
    within("addr", "add", `${addressOf(node, at, 2)}/30`, "dev", there);
    ip("link", "set", here, "up");
    within("link", "set", there, "up");
    // Otherwise a cut cable shows up after three seconds: nobody answers for the address.
    within(
      "neigh",
      "replace",
      addressOf(node, at, 1),
      "lladdr",
      hardwareAddress(here),
      "dev",
      there,
      "nud",
      "permanent",
    );
  }
  within("route", "add", HOST, "via", addressOf(node, CABLES.indexOf("visitors"), 1));
  const hostOf = (cable: Cable): string => addressOf(node, CABLES.indexOf(cable), 1);
  return {
    enter,
    host: addressOf(node, CABLES.indexOf("visitors"), 2),
    postgresHost: hostOf("postgres"),
    redisHost: hostOf("redis"),
    cut: (server) => ip("link", "set", nameOf(server, node), "down"),
    mend: (server) => ip("link", "set", nameOf(server, node), "up"),
    async close() {
      holder.kill("SIGKILL");
      await holder.exited;
    },
  };
}

const networkOf = (pid: number | "self"): string => readlinkSync(`/proc/${pid}/ns/net`);

// Names of interfaces are short.
const nameOf = (cable: Cable, node: number): string => `${cable}${node}`;
const addressOf = (node: number, cable: number, end: 1 | 2): string => `10.77.${node}.${cable * 4 + end}`;

function hardwareAddress(name: string): string {
  const { stdout } = Bun.spawnSync(["ip", "-o", "link", "show", name]);
  const found = /ether (\S+)/.exec(stdout.toString())?.[1];
  if (!found) throw new Error(`${name} has no hardware address`);
  return found;
}

const ip = (...args: readonly string[]): void => run(["ip", ...args]);

function run(command: readonly string[]): void {
  const { exitCode, stderr } = Bun.spawnSync([...command]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")}: ${stderr}`);
}
