import { readdirSync, readFileSync, readlinkSync } from "node:fs";

interface TcpRow {
  readonly localPort: number;
  readonly remotePort: number;
  readonly isListening: boolean;
  readonly inode: string;
}

const LISTEN = "0A";

/** How many sockets listen on the port in the network of a process: with SO_REUSEPORT each process has one. */
export const countListeners = (port: number, pid: number | "self" = "self"): number =>
  tcpRows(pid).filter((row) => row.isListening && row.localPort === port).length;

/** Whether a process accepts new connections on the port. */
export function isListening(pid: number, port: number): boolean {
  const inodes = new Set(socketInodes(pid));
  return tcpRows().some((row) => row.isListening && row.localPort === port && inodes.has(row.inode));
}

/** The process at the other end of each client connection, by the client's port. */
export function connectionOwners(port: number, pids: readonly number[]): ReadonlyMap<number, number> {
  const pidByInode = new Map(pids.flatMap((pid) => socketInodes(pid).map((inode) => [inode, pid] as const)));
  const owners = new Map<number, number>();
  for (const { localPort, remotePort, isListening, inode } of tcpRows()) {
    const pid = pidByInode.get(inode);
    if (localPort === port && !isListening && pid !== undefined) owners.set(remotePort, pid);
  }
  return owners;
}

/** A zombie isn't alive, unless some of its threads are still running. */
export function isAlive(pid: number): boolean {
  const status = statusOf(pid);
  const state = /^State:\s+(\w)/m.exec(status)?.[1];
  if (state === "Z") return Number(/^Threads:\s+(\d+)/m.exec(status)?.[1] ?? 0) > 1;
  return state !== undefined && state !== "X";
}

/** Sends a signal to the first process and returns its id. Throws without one, since 0 would mean this process. */
export function signalFirst(pids: readonly number[], signal: NodeJS.Signals): number {
  const [pid] = pids;
  if (!pid) throw new Error(`there is no process to send ${signal} to`);
  process.kill(pid, signal);
  return pid;
}

/** The process and all its descendants. */
export function familyOf(pid: number): number[] {
  const { stdout } = Bun.spawnSync(["ps", "-o", "pid=", "--ppid", String(pid)]);
  const children = stdout.toString().split("\n").filter(Boolean).map(Number);
  return [pid, ...children.flatMap(familyOf)];
}

/** The children of a server with that role. */
export function childrenOf(parent: number, role: string): number[] {
  const { stdout } = Bun.spawnSync(["ps", "-o", "pid=,args=", "--ppid", String(parent)]);
  return stdout
    .toString()
    .split("\n")
    .filter((line) => new RegExp(` ${role}( \\d+)*$`).test(line.trimEnd()))
    .map((line) => Number.parseInt(line, 10));
}

const TICK_MS = 10;

/** The CPU time of all its threads so far. */
export function cpuMsOf(pid: number): number {
  // The name before may contain spaces; it ends in a bracket.
  const [, , , , , , , , , , , utime, stime] =
    readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return (Number(utime) + Number(stime)) * TICK_MS;
}

export const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(statusOf(pid))?.[1] ?? 0) * 1024;

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, "utf8");
  } catch {
    return "";
  }
}

function tcpRows(pid: number | "self" = "self"): TcpRow[] {
  const lines = readFileSync(`/proc/${pid}/net/tcp`, "utf8").trim().split("\n").slice(1);
  return lines.map((line) => {
    const [, local = "", remote = "", state, , , , , , inode = ""] = line.trim().split(/\s+/);
    return { localPort: portOf(local), remotePort: portOf(remote), isListening: state === LISTEN, inode };
  });
}

const portOf = (address: string): number => Number.parseInt(address.split(":")[1] ?? "", 16);

function socketInodes(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
      const inode = /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1];
      return inode === undefined ? [] : [inode];
    });
  } catch {
    return [];
  }
}

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
