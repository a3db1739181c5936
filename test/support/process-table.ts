import { readdirSync, readFileSync, readlinkSync } from "node:fs";

interface TcpRow {
  readonly localPort: number;
  readonly remotePort: number;
  readonly isListening: boolean;
  readonly inode: string;
}

const LISTEN = "0A";

/** How many processes accept connections on the port, in the network of a process. */
export function countListeners(port: number, pid: number | "self" = "self"): number {
  const inodes = listeningInodes(port, pid);
  return inodes.size === 0 ? 0 : processIds().filter((each) => accepts(each, inodes)).length;
}

/** Whether there is a listening socket on the port, whoever has it and whatever it waits with. */
export const hasListener = (port: number): boolean => listeningInodes(port, "self").size > 0;

/** Whether a process accepts new connections on the port. */
export const isListening = (pid: number, port: number): boolean => accepts(pid, listeningInodes(port, "self"));

const listeningInodes = (port: number, pid: number | "self"): ReadonlySet<string> =>
  new Set(tcpRows(pid).flatMap((row) => (row.isListening && row.localPort === port ? [row.inode] : [])));

const processIds = (): number[] => readdirSync("/proc").map(Number).filter(Number.isInteger);

/** Having such a socket isn't enough, since a supervisor only keeps it for others: it must wait for its connections. */
function accepts(pid: number, inodes: ReadonlySet<string>): boolean {
  const links = descriptorLinks(pid);
  const sockets = links.flatMap(({ fd, link }) => (inodes.has(inodeIn(link)) ? [fd] : []));
  if (sockets.length === 0) return false;
  return links.some(
    ({ fd, link }) =>
      link === "anon_inode:[eventpoll]" &&
      textOf(`/proc/${pid}/fdinfo/${fd}`)
        .matchAll(/^tfd:\s+(\d+)/gm)
        .some(([, watched = ""]) => sockets.includes(watched)),
  );
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

const statusOf = (pid: number): string => textOf(`/proc/${pid}/status`);

/** Empty for a process that has just ended. */
function textOf(path: string): string {
  try {
    return readFileSync(path, "utf8");
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

const socketInodes = (pid: number): string[] =>
  descriptorLinks(pid)
    .map(({ link }) => inodeIn(link))
    .filter((inode) => inode !== "");

const inodeIn = (link: string): string => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? "";

function descriptorLinks(pid: number): { readonly fd: string; readonly link: string }[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => ({ fd, link: linkOf(`/proc/${pid}/fd/${fd}`) }));
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
