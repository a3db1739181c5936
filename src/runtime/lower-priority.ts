import { getPriority, setPriority } from "node:os";
import { ownThreads } from "#kernel/own-threads.ts";

/**
 * Puts the whole process behind others where cores are short. Linux keeps priorities by thread and has new threads
 * inherit them, so those that the runtime has started already are lowered one by one.
 */
export function lowerPriority(niceness: number): void {
  const lowered = Math.max(getPriority(), niceness);
  for (const thread of ownThreads()) {
    try {
      setPriority(thread, lowered);
    } catch (error) {
      // It may have ended meanwhile.
      if ((error as { readonly info?: { readonly code?: string } }).info?.code !== "ESRCH") throw error;
    }
  }
}
