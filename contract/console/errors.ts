import { z } from "zod";
import { RoleName } from "./role-name.ts";
import { SsoRefusal } from "./sso-refusal.ts";

const none = z.undefined();

/** Errors of the console, in addition to those of the API. */
export const consoleErrors = {
  not_signed_in: { status: 401, details: none, summary: "There is no session, or it has ended" },
  sign_in_failed: { status: 401, details: none, summary: "The e-mail address, password or code is wrong" },
  share_locked: { status: 401, details: none, summary: "The shared report has a password" },
  wrong_password: { status: 403, details: none, summary: "This isn't the shared report's password" },
  cross_site: { status: 403, details: none, summary: "The request comes from another site" },
  role_insufficient: {
    status: 403,
    details: z.object({ role: RoleName, required_role: RoleName }),
    summary: "Your role in this account doesn't allow this",
  },
  sudo_required: {
    status: 403,
    details: none,
    summary:
      "Re-authentication with password (and a code, if you use an authenticator app), passkey or the operator's provider is required",
  },
  sso_required: {
    status: 403,
    details: none,
    summary: "This needs a session that began with the operator's provider",
  },
  sso_refused: {
    status: 403,
    details: z.object({ reason: SsoRefusal, provider: z.string() }),
    summary: "Signing in with the operator's provider was refused",
  },
  sso_unavailable: {
    status: 503,
    details: z.object({ provider: z.string() }),
    summary: "The operator's provider can't be reached",
  },
  not_in_demo: { status: 403, details: none, summary: "Not available in the demo" },
  last_owner: { status: 409, details: none, summary: "An account needs at least one owner" },
  already_exists: { status: 409, details: z.object({ field: z.string() }), summary: "It already exists" },
} as const;
