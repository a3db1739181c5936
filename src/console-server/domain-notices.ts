import type { LostDomain } from "#domains/domain-checks.ts";
import type { Records } from "#engines/records/records.ts";
import type { Mailer } from "#mail/mailer.ts";
import { listOwners } from "#members/owners.ts";
import { domainLostMail } from "./mails.ts";

interface Deps {
  readonly records: Records;
  readonly mailer: Mailer;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** E-mails the owners when another account has taken over a domain. */
export function domainNotices({ records, mailer, onProblem }: Deps): (domain: LostDomain) => void {
  const write = async ({ accountNo, name, by }: LostDomain): Promise<void> => {
    const { accountName, emails } = await listOwners(records.read, accountNo);
    for (const email of emails) mailer.send(domainLostMail({ email, accountName, name, by }));
  };
  return (domain) => {
    write(domain).catch((error: unknown) => onProblem("the owners could not be told that a domain was lost", error));
  };
}
