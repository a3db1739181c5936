import { availableParallelism } from "node:os";
import type { Config } from "#config/settings.ts";
import { keepToCores } from "#kernel/own-cores.ts";
import { type Hold, sharedHold } from "#kernel/shared-hold.ts";

/**
 * For long work of control: keeps it on the last cores, of which redirects need none, or on the last one. Work that is
 * mostly idle would otherwise be moved to whichever core is free for a moment, where it is in the way of the next redirect.
 */
export function stepAsideFor(
  { redirectProcesses }: Pick<Config, "redirectProcesses">,
  announce: (lastCores: number) => void,
): Hold {
  const spare = Math.max(0, availableParallelism() - redirectProcesses);
  return sharedHold(() => {
    const comeBack = keepToCores((cores) => cores.slice(-Math.max(1, spare)));
    announce(spare);
    return () => {
      announce(0);
      comeBack();
    };
  });
}

/**
 * The other side, in each redirect process: Linux would wake it on a core where that work is just running, and some
 * kernels let that go on until their next tick.
 */
export function giveWayOnLastCores(): (lastCores: number) => void {
  let comeBack = (): void => {};
  return (lastCores) => {
    comeBack();
    comeBack = lastCores === 0 ? () => {} : keepToCores((cores) => cores.slice(0, -lastCores));
  };
}
