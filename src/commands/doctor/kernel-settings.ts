import { readFileSync } from "node:fs";
import { type Check, ok, warning } from "./check.ts";

const MIGRATE_REQUESTS = "/proc/sys/net/ipv4/tcp_migrate_req";

/**
 * If it is off, connections that are queued at a stopping process are reset instead of moved to another one. With the fast
 * lane they belong to the supervisor.
 */
export const kernelSettings: Check = {
  name: "kernel",
  run({ config }) {
    if (process.platform !== "linux" || config.redirectProcesses < 2 || config.fastLane) return [];
    try {
      if (readFileSync(MIGRATE_REQUESTS, "utf8").trim() !== "0") return [ok("net.ipv4.tcp_migrate_req is on")];
      return [
        warning(
          "net.ipv4.tcp_migrate_req is off, so the end of a process may reset a few connections; run sysctl -w net.ipv4.tcp_migrate_req=1",
        ),
      ];
    } catch {
      // Kernels before 5.14 and some containers don't have it.
      return [];
    }
  },
};
