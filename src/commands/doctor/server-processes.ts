import { readFileSync } from "node:fs";
import type { Config } from "#config/settings.ts";
import { findLockHolder } from "#runtime/data-lock.ts";
import { type Check, type Finding, ok, problem, warning } from "./check.ts";
import { findMetricsText } from "./metrics-text.ts";

interface ServerProcess {
  /** `control`, `redirect-0` and so on. */
  readonly name: string;
  readonly isReady: boolean;
}

export const serverProcesses: Check = {
  name: "server",
  async run({ config, paths }) {
    const holder = findLockHolder(paths);
    if (holder?.purpose !== "server") return [ok("not running")];
    const about = `running as process ${holder.pid} with ${describeChildren(holder.pid)}`;
    return judgeProcesses(about, readProcesses((await findMetricsText(paths)) ?? ""), config);
  },
};

/** A process that can't start is restarted again and again, so what matters is whether it serves. */
export function judgeProcesses(
  about: string,
  processes: readonly ServerProcess[],
  { redirectProcesses }: Pick<Config, "redirectProcesses">,
): Finding[] {
  const ready = processes.filter(({ isReady }) => isReady).map(({ name }) => name);
  const redirects = ready.filter((name) => name !== "control").length;
  const findings: Finding[] = [];
  if (redirects === 0) findings.push(problem("no redirect process is serving, so links are down; see the log"));
  else if (redirects < redirectProcesses) {
    findings.push(warning(`only ${redirects} of ${redirectProcesses} redirect processes are serving; see the log`));
  }
  if (!ready.includes("control")) {
    findings.push(problem("the control process is not serving, so the API and reports are down; see the log"));
  }
  return findings.length === 0
    ? [ok(about)]
    : findings.map((found) => ({ ...found, message: `${about}: ${found.message}` }));
}

const readProcesses = (metrics: string): ServerProcess[] =>
  [...metrics.matchAll(/^kurz_process_up\{process="([\w-]+)"\} (\d)$/gm)].map(([, name = "", up]) => ({
    name,
    isReady: up === "1",
  }));

/** The supervisor's children by role. The role is the last word of their command line that is not a number. */
function describeChildren(pid: number): string {
  const pids = findText(`/proc/${pid}/task/${pid}/children`)?.split(" ").filter(Boolean) ?? [];
  const roles = Map.groupBy(pids, roleOf);
  return ["redirect", "control"]
    .map((role) => {
      const own = roles.get(role);
      return own ? `${role} ${own.join(" and ")}` : `no ${role} process`;
    })
    .join(", ");
}

const roleOf = (pid: string): string =>
  findText(`/proc/${pid}/cmdline`)
    ?.split("\0")
    .findLast((word) => /\D/.test(word)) ?? "";

function findText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}
