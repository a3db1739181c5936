import { alwaysHeld, type Lease } from "#engines/coordination/leases.ts";
import { type Loop, startLoop } from "#kernel/loop.ts";
import type { DomainService } from "./domains.service.ts";

interface Deps {
  readonly domains: Pick<DomainService, "recheck">;
  readonly onProblem: (message: string, error: unknown) => void;
  /** One node looks up for all. */
  readonly lease?: Lease;
  readonly firstMs?: number;
}

const FIRST_MS = 30_000;
const EVERY_MS = 600_000;
const BATCH = 20;

/** Looks up the records of verified domains once a day. */
export const startDomainChecking = ({ domains, onProblem, lease = alwaysHeld, firstMs = FIRST_MS }: Deps): Loop =>
  startLoop({
    firstMs,
    intervalMs: EVERY_MS,
    async run(stopping) {
      const mayGoOn = (): boolean => !stopping.aborted && lease.isHeld();
      while (mayGoOn() && (await domains.recheck(BATCH, mayGoOn)) > 0);
      return false;
    },
    onFailure: (error) => onProblem("domains could not be checked", error),
  });
