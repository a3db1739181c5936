import { z } from "zod";
import { RoleName } from "./role-name.ts";

const none = z.undefined();

/** What only the console can answer, beside every error of the API. */
export const consoleErrors = {
  not_signed_in: { status: 401, details: none, summary: "There is no session, or it has ended" },
  sign_in_failed: { status: 401, details: none, summary: "The e-mail address, password or code is wrong" },
  cross_site: { status: 403, details: none, summary: "The request comes from another site" },
  role_insufficient: {
    status: 403,
    details: z.object({ role: RoleName, required_role: RoleName }),
    summary: "The role in this account does not allow it",
  },
  sudo_required: { status: 403, details: none, summary: "The password or a passkey is asked for again" },
  not_in_demo: { status: 403, details: none, summary: "The demo does not allow it" },
  last_owner: { status: 409, details: none, summary: "An account keeps at least one owner" },
  already_exists: { status: 409, details: z.object({ field: z.string() }), summary: "There is one already" },
} as const;
