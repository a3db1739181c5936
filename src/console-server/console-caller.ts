import type { Role } from "#contract/roles.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Session } from "#sign-in/requester.ts";

/** A signed-in user acting in one of their accounts. */
export interface ConsoleCaller extends Caller {
  readonly userId: string;
  readonly sessionId: string;
  readonly signedInBy: Session["signedInBy"];
  readonly role: Role;
}
