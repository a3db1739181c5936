import type { Records } from "#engines/records/records.ts";
import type { Mailer } from "#mail/mailer.ts";
import { listOwners } from "#members/owners.ts";
import type { DisabledEndpoint } from "#webhooks/settle-outcome.ts";
import { endpointOffMail } from "./mails.ts";

interface Deps {
  readonly records: Records;
  readonly baseUrl: string;
  readonly mailer: Mailer;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** E-mails the owners when an endpoint was disabled; everyone else sees it in the console. */
export function endpointNotices({ records, baseUrl, mailer, onProblem }: Deps): (endpoint: DisabledEndpoint) => void {
  const write = async ({ id, accountNo, url, reason }: DisabledEndpoint): Promise<void> => {
    const { accountId, accountName, emails } = await listOwners(records.read, accountNo);
    const page = `${baseUrl}/console/a/${accountId}/developer/webhooks/${id}`;
    // The URL may contain a secret; its host does not.
    const { host } = new URL(url);
    for (const email of emails) mailer.send(endpointOffMail({ email, accountName, host, reason, url: page }));
  };
  return (endpoint) => {
    write(endpoint).catch((error: unknown) =>
      onProblem("the owners could not be told that a webhook endpoint was disabled", error),
    );
  };
}
