import { readFileSync } from "node:fs";
import type { UnixSocketListener } from "bun";

const LOWEST = 10_000;
const TRIES_MAX = 100;

/** Garbage collection would close them. */
const claims: UnixSocketListener<undefined>[] = [];

/**
 * A port that nothing listens on, and that no other call gets, in whatever process of this machine: many tests run at
 * the same time, and a server may be started, or started again, much later. Not one that the kernel hands out: one of
 * the many connections of tests could get it.
 */
export function freePort(): number {
  const [lowestOfKernel = 0] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s+/).map(Number);
  const highest = lowestOfKernel > LOWEST ? lowestOfKernel : 65_536;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = LOWEST + Math.floor(Math.random() * (highest - LOWEST));
    if (claim(port) && isFree(port)) return port;
  }
  throw new Error(`none of ${TRIES_MAX} ports between ${LOWEST} and ${highest} is free`);
}

/** By a name without a file, which the kernel gives to one process only and takes back when that ends. */
function claim(port: number): boolean {
  try {
    const listener = Bun.listen({ unix: `\0kurz-test-port-${port}`, socket: { data() {} } });
    listener.unref();
    claims.push(listener);
    return true;
  } catch {
    return false;
  }
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}
