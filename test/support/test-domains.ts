import { domainService } from "#domains/domains.service.ts";
import type { Records } from "#engines/records/records.ts";
import { type Clock, systemClock } from "#kernel/clock.ts";
import { openOutbox } from "#outbox/outbox.service.ts";

type DomainDeps = Parameters<typeof domainService>[0];

/** DNS has no records, unless the test says otherwise. */
export const testDomainService = (
  records: Records,
  clock: Clock = systemClock,
  deps: Partial<DomainDeps> = {},
): ReturnType<typeof domainService> =>
  domainService({
    records,
    clock,
    outbox: openOutbox(),
    ownHosts: ["s.example"],
    urls: { check: (url) => ({ ok: true, url }), blockReasonOf: () => null },
    lookUpTxt: async () => ({ ok: true, values: [] }),
    ...deps,
  });
