import { allowCores, coresOf } from "./thread-cores.ts";

/**
 * Keeps the calling thread on one core, counted from the last of those it may use. Linux would move a long computation to
 * whichever core is idle for a moment, where it is in the way of the next short one. Does nothing on other systems.
 */
export function stayOnCore(fromLast: number): boolean {
  const core = coresOf(0)?.at(-1 - fromLast);
  return core !== undefined && allowCores(0, [core]);
}
