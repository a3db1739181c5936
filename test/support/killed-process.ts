import { answersCalls } from "./answers-calls.ts";
import type { KurzServer } from "./kurz-server.ts";
import { countListeners, isAlive, signalFirst } from "./process-table.ts";
import { until } from "./until.ts";

// The supervisor waits up to five seconds before it restarts a process that keeps dying.
const REPLACED_MS_MAX = 60_000;

/** Kills a process with SIGKILL, waits until its successor serves, and returns the killed one's id. */
export async function killAndReplace(kurz: KurzServer, role: "redirect" | "control"): Promise<number> {
  const before = kurz.processes(role);
  const killed = signalFirst(before, "SIGKILL");
  await until(`the killed ${role} process is gone`, () => !isAlive(killed));
  const serves = role === "redirect" ? () => countListeners(kurz.port) === before.length : () => answersCalls(kurz.url);
  await until(
    `a new ${role} process serves`,
    async () => kurz.processes(role).filter((pid) => pid !== killed).length === before.length && (await serves()),
    REPLACED_MS_MAX,
  );
  return killed;
}
