import { readFileSync } from "node:fs";
import { findLockHolder } from "#runtime/data-lock.ts";
import { type Check, ok, warning } from "./check.ts";

interface ChildProcess {
  readonly pid: number;
  readonly role: string;
}

export const serverProcesses: Check = {
  name: "server",
  run({ config, paths }) {
    const holder = findLockHolder(paths);
    if (holder?.purpose !== "server") return [ok("not running")];
    const children = findChildren(holder.pid);
    if (children === null) return [ok(`running as process ${holder.pid}`)];
    const redirects = children.filter(({ role }) => role === "redirect");
    const controls = children.filter(({ role }) => role === "control");
    const counts = `${pidsOf("redirect", redirects)}, ${pidsOf("control", controls)}`;
    const message = `running as process ${holder.pid} with ${counts}`;
    const isWhole = redirects.length >= config.redirectProcesses && controls.length > 0;
    return [isWhole ? ok(message) : warning(`${message}; ${config.redirectProcesses} redirect and 1 control expected`)];
  },
};

/** The supervisor's children with their roles, behind which stand numbers only; `null` where the system does not tell. */
function findChildren(pid: number): ChildProcess[] | null {
  const pids = findText(`/proc/${pid}/task/${pid}/children`)?.split(" ").filter(Boolean);
  if (!pids) return null;
  return pids.map((child) => ({
    pid: Number(child),
    role:
      findText(`/proc/${child}/cmdline`)
        ?.split("\0")
        .findLast((word) => /\D/.test(word)) ?? "",
  }));
}

function findText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

const pidsOf = (role: string, processes: readonly ChildProcess[]): string =>
  processes.length === 0 ? `no ${role} process` : `${role} ${processes.map(({ pid }) => pid).join(" and ")}`;
