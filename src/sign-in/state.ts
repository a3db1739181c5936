import type { ConsoleState } from "#contract/console/session.ts";
import type { Records } from "#engines/records/records.ts";
import { toTimestampOrNull } from "#kernel/clock.ts";
import { listMemberships } from "#members/memberships.ts";
import { version } from "../../package.json";
import { hasPassword } from "./credentials.store.ts";
import type { JoiningService } from "./joining.service.ts";
import type { Requester, Session } from "./requester.ts";

export interface StateDeps {
  readonly records: Records;
  readonly joining: JoiningService;
  readonly deployment: Pick<
    ConsoleState,
    "base_url" | "short_domain" | "signup" | "sends_mail" | "page_lookups" | "sso"
  >;
  /** A demo's credentials and next reset. */
  readonly demo?: () => ConsoleState["demo"];
}

/** What the page needs before it can show anything. */
export async function describeState(
  { records, joining, deployment, demo }: StateDeps,
  { session }: Requester,
): Promise<ConsoleState> {
  return {
    version,
    ...deployment,
    setup_required: session === null && !(await joining.isSetUp()),
    demo: demo?.() ?? null,
    session: session && {
      user: describeUser(session),
      accounts: await listMemberships(records.read, session.userId, session.signedInBy === "sso"),
      sudo_until: toTimestampOrNull(session.sudoUntil),
      signed_in_by: session.signedInBy,
      has_password: await hasPassword(records.read, session.userId),
    },
  };
}

export const describeUser = ({ userId, name, email, twoFactorEnabled }: Session) => ({
  id: userId,
  name,
  email,
  two_factor_enabled: twoFactorEnabled,
});
