import { readFileSync } from "node:fs";

const LOWEST = 10_000;
const TRIES_MAX = 100;

/**
 * A port that nothing listens on. Not one that the kernel hands out: between this call and the start of a server, one of
 * the many connections that tests open at the same time could get it.
 */
export function freePort(): number {
  const [lowestOfKernel = 0] = readFileSync("/proc/sys/net/ipv4/ip_local_port_range", "utf8").split(/\s+/).map(Number);
  const highest = lowestOfKernel > LOWEST ? lowestOfKernel : 65_536;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const port = LOWEST + Math.floor(Math.random() * (highest - LOWEST));
    if (isFree(port)) return port;
  }
  throw new Error(`none of ${TRIES_MAX} ports between ${LOWEST} and ${highest} is free`);
}

function isFree(port: number): boolean {
  try {
    Bun.listen({ hostname: "127.0.0.1", port, socket: { data() {} } }).stop(true);
    return true;
  } catch {
    return false;
  }
}
