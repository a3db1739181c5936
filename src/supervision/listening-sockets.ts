import { dlopen, ptr } from "bun:ffi";
import { isIPv6 } from "node:net";
import { networkInterfaces } from "node:os";

const AF_INET = 2;
const AF_INET6 = 10;
const SOCK_STREAM = 1;
const SOCK_NONBLOCK = 0o4000;
const SOCK_CLOEXEC = 0o2000000;
const SOL_SOCKET = 1;
const SO_REUSEADDR = 2;
const SO_REUSEPORT = 15;
const IPPROTO_IPV6 = 41;
const IPV6_V6ONLY = 26;
const F_SETFD = 2;
// The kernel lowers it to net.core.somaxconn. Connections wait here while a process is replaced.
const BACKLOG = 4096;

const declarations = {
  socket: { args: ["i32", "i32", "i32"], returns: "i32" },
  setsockopt: { args: ["i32", "i32", "i32", "ptr", "u32"], returns: "i32" },
  bind: { args: ["i32", "ptr", "u32"], returns: "i32" },
  listen: { args: ["i32", "i32"], returns: "i32" },
  fcntl: { args: ["i32", "i32", "i32"], returns: "i32" },
  close: { args: ["i32"], returns: "i32" },
} as const;

const openLibrary = () => dlopen("libc.so.6", declarations).symbols;
type Library = ReturnType<typeof openLibrary>;

/**
 * Opens sockets on one port for as many processes. They belong to the supervisor, so connections that wait in one of them
 * survive the process that accepts from it, and its replacement accepts them. Returns nothing where that isn't possible
 * (other systems than Linux, or a host name instead of an address): then each process opens its own.
 */
export function openListeningSockets(hostname: string, port: number, count: number): readonly number[] | undefined {
  const address = socketAddress(hostname, port);
  if (process.platform !== "linux" || address === undefined || port === 0) return undefined;
  const sockets: number[] = [];
  let library: Library;
  try {
    library = openLibrary();
  } catch {
    return undefined;
  }
  for (let no = 0; no < count; no += 1) {
    const socket = openOne(library, address);
    if (socket === undefined) {
      for (const opened of sockets) library.close(opened);
      return undefined;
    }
    sockets.push(socket);
  }
  return sockets;
}

function openOne(library: Library, { family, bytes }: SocketAddress): number | undefined {
  const socket = library.socket(family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (socket < 0) return undefined;
  const set = (level: number, option: number, value: number): boolean =>
    library.setsockopt(socket, level, option, ptr(new Int32Array([value])), 4) === 0;
  const isOpen =
    set(SOL_SOCKET, SO_REUSEADDR, 1) &&
    set(SOL_SOCKET, SO_REUSEPORT, 1) &&
    (family === AF_INET || set(IPPROTO_IPV6, IPV6_V6ONLY, 0)) &&
    library.bind(socket, ptr(bytes), bytes.length) === 0 &&
    library.listen(socket, BACKLOG) === 0;
  if (isOpen) return socket;
  library.close(socket);
  return undefined;
}

/** Lets the program that replaces this one have them, too. */
export function keepForSuccessor(descriptors: readonly number[]): void {
  const library = openLibrary();
  for (const descriptor of descriptors) library.fcntl(descriptor, F_SETFD, 0);
}

/** After a replacement: processes that are started get only those they are handed. */
export function keepFromChildren(descriptors: readonly number[]): void {
  if (descriptors.length === 0) return;
  const library = openLibrary();
  for (const descriptor of descriptors) library.fcntl(descriptor, F_SETFD, 1);
}

export function closeSockets(sockets: readonly number[]): void {
  if (sockets.length === 0) return;
  const library = openLibrary();
  for (const socket of sockets) library.close(socket);
}

interface SocketAddress {
  readonly family: number;
  readonly bytes: Uint8Array;
}

/** As `struct sockaddr_in` or `sockaddr_in6`; only for an address, since a name may have several. */
function socketAddress(hostname: string, port: number): SocketAddress | undefined {
  const ports = [port >> 8, port & 0xff];
  const v4 = /^(\d+)\.(\d+)\.(\d+)\.(\d+)$/.exec(hostname);
  if (v4) {
    const octets = v4.slice(1).map(Number);
    if (octets.some((octet) => octet > 255)) return undefined;
    return { family: AF_INET, bytes: Uint8Array.from([AF_INET, 0, ...ports, ...octets, 0, 0, 0, 0, 0, 0, 0, 0]) };
  }
  const [address = "", zone] = hostname.split("%");
  if (!isIPv6(address) || address.includes(".")) return undefined;
  const scope = zone === undefined ? 0 : scopeOf(zone);
  const scopeBytes = [scope & 0xff, (scope >> 8) & 0xff, (scope >> 16) & 0xff, (scope >> 24) & 0xff];
  const bytes = [AF_INET6, 0, ...ports, 0, 0, 0, 0, ...ipv6Bytes(address), ...scopeBytes];
  return { family: AF_INET6, bytes: Uint8Array.from(bytes) };
}

const scopeOf = (zone: string): number =>
  networkInterfaces()[zone]?.find((each) => each.family === "IPv6")?.scopeid ?? (Number(zone) || 0);

function ipv6Bytes(address: string): readonly number[] {
  const [before = "", after] = address.split("::");
  const groupsOf = (text: string): number[] =>
    text === "" ? [] : text.split(":").map((group) => Number.parseInt(group, 16));
  const [head, tail] = [groupsOf(before), after === undefined ? [] : groupsOf(after)];
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => 0);
  return [...head, ...zeros, ...tail].flatMap((group) => [group >> 8, group & 0xff]);
}
