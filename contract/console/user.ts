import { z } from "zod";
import { Timestamp } from "../fields.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { Email, NewPassword, PersonName, User } from "./session.ts";
import { SignInMethod } from "./sign-in-method.ts";
import { noSudo, reading, sudoFor } from "./sudo.ts";

const item = z.strictObject({ id: z.string().max(255) });
const nothing = { body: z.strictObject({}), bodyOptional: true } as const;

export const updateUser = consoleEndpoint({
  id: "console.user.update",
  method: "PATCH",
  path: "/console/api/user",
  summary: "Change your name",
  sudo: noSudo("Only changes a label."),
  body: z.strictObject({ name: PersonName }),
  status: 200,
  response: User,
});

export const changeEmail = consoleEndpoint({
  id: "console.user.email",
  method: "POST",
  path: "/console/api/user/email",
  summary: "Change your e-mail address",
  sudo: sudoFor("It is used to sign in, and password reset links are sent there."),
  body: z.strictObject({ email: Email }),
  status: 200,
  response: z.object({
    confirmation_sent: z
      .boolean()
      .describe(
        "Whether the change takes effect once the mailed link is opened. Without mail, it takes effect immediately.",
      ),
  }),
});

export const confirmEmail = consoleEndpoint({
  id: "console.user.email.confirm",
  open: true,
  method: "POST",
  path: "/console/api/email/confirm",
  summary: "Confirm a new e-mail address with the link mailed to it",
  sudo: noSudo("The change was requested with re-authentication; the link proves access to the mailbox."),
  body: z.strictObject({ token: z.string().min(1).max(255) }),
  status: 204,
});

export const deleteUser = consoleEndpoint({
  id: "console.user.delete",
  method: "DELETE",
  path: "/console/api/user",
  summary: "Delete your user. Accounts you own alone must be deleted or given another owner first",
  sudo: sudoFor("Permanently ends the user's access to everything."),
  status: 204,
});

export const changePassword = consoleEndpoint({
  id: "console.user.password",
  method: "POST",
  path: "/console/api/user/password",
  summary: "Change your password; ends all other sessions",
  sudo: sudoFor("The current password alone isn't enough for users of an authenticator app."),
  body: z.strictObject({ current: z.string().min(1).max(128), password: NewPassword }),
  status: 204,
});

export const UserSession = z.object({
  id: z.string(),
  current: z.boolean(),
  /** Such as "Firefox on Linux"; nothing more is stored. */
  device: z.string().nullable(),
  /** `null` for a session that began before this was stored. */
  signed_in_by: SignInMethod.nullable(),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
});
export type UserSession = z.output<typeof UserSession>;

export const listSessions = consoleEndpoint({
  id: "console.sessions.list",
  method: "GET",
  path: "/console/api/user/sessions",
  summary: "List your sessions",
  sudo: reading,
  status: 200,
  response: z.object({ data: z.array(UserSession) }),
});

export const endSession = consoleEndpoint({
  id: "console.sessions.end",
  method: "DELETE",
  path: "/console/api/user/sessions/{id}",
  summary: "End a session",
  sudo: noSudo("Only removes access, and must be quick if a device is lost."),
  params: item,
  status: 204,
});

export const endOtherSessions = consoleEndpoint({
  id: "console.sessions.end_others",
  method: "POST",
  path: "/console/api/user/sessions/end-others",
  summary: "End all other sessions",
  sudo: noSudo("Only removes access, and must be quick if a device is lost."),
  ...nothing,
  status: 204,
});

export const startTwoFactor = consoleEndpoint({
  id: "console.two_factor.start",
  method: "POST",
  path: "/console/api/user/two-factor",
  summary: "Start setting up an authenticator app",
  sudo: sudoFor("An attacker's second factor would lock the user out."),
  ...nothing,
  status: 200,
  response: z.object({ uri: z.string(), secret: z.string(), backup_codes: z.array(z.string()) }),
});

export const confirmTwoFactor = consoleEndpoint({
  id: "console.two_factor.confirm",
  method: "POST",
  path: "/console/api/user/two-factor/confirm",
  summary: "Turn on the authenticator app with a first code",
  sudo: sudoFor("An attacker's second factor would lock the user out."),
  body: z.strictObject({ code: z.string().min(6).max(10) }),
  status: 204,
});

export const renewBackupCodes = consoleEndpoint({
  id: "console.two_factor.renew_codes",
  method: "POST",
  path: "/console/api/user/two-factor/backup-codes",
  summary: "Generate new backup codes; the old ones stop working",
  sudo: sudoFor("Backup codes can be used to sign in."),
  ...nothing,
  status: 200,
  response: z.object({ backup_codes: z.array(z.string()) }),
});

export const endTwoFactor = consoleEndpoint({
  id: "console.two_factor.end",
  method: "DELETE",
  path: "/console/api/user/two-factor",
  summary: "Stop using the authenticator app",
  sudo: sudoFor("Makes it easier for others to sign in."),
  status: 204,
});

export const Passkey = z.object({ id: z.string(), name: z.string(), created_at: Timestamp });
export type Passkey = z.output<typeof Passkey>;

export const listPasskeys = consoleEndpoint({
  id: "console.passkeys.list",
  method: "GET",
  path: "/console/api/user/passkeys",
  summary: "List your passkeys",
  sudo: reading,
  status: 200,
  response: z.object({ data: z.array(Passkey) }),
});

const PasskeyJson = z.record(z.string(), z.unknown());

export const startPasskey = consoleEndpoint({
  id: "console.passkeys.start",
  method: "POST",
  path: "/console/api/user/passkeys/start",
  summary: "Start adding a passkey",
  sudo: sudoFor("A passkey keeps working after the session ends."),
  ...nothing,
  status: 200,
  response: PasskeyJson,
});

export const addPasskey = consoleEndpoint({
  id: "console.passkeys.add",
  method: "POST",
  path: "/console/api/user/passkeys",
  summary: "Add a passkey",
  sudo: noSudo("Requires a challenge from console.passkeys.start, valid for a few minutes."),
  body: z.strictObject({ name: PersonName, response: PasskeyJson }),
  status: 201,
  response: Passkey,
});

export const renamePasskey = consoleEndpoint({
  id: "console.passkeys.rename",
  method: "PATCH",
  path: "/console/api/user/passkeys/{id}",
  summary: "Rename a passkey",
  sudo: noSudo("Only changes a label."),
  params: item,
  body: z.strictObject({ name: PersonName }),
  status: 200,
  response: Passkey,
});

export const removePasskey = consoleEndpoint({
  id: "console.passkeys.remove",
  method: "DELETE",
  path: "/console/api/user/passkeys/{id}",
  summary: "Remove a passkey",
  sudo: sudoFor("Could lock the user out."),
  params: item,
  status: 204,
});

export const Invitation = z.object({
  id: z.string(),
  account_name: z.string(),
  email: z.string(),
  role: z.string(),
  /** Whether this address is registered; the invited person then signs in instead of signing up. */
  has_user: z.boolean(),
});

export const getInvitation = consoleEndpoint({
  id: "console.invitation.get",
  open: true,
  method: "GET",
  path: "/console/api/invitations/{id}",
  summary: "Get an invitation by its secret id",
  sudo: noSudo("Read-only; the id is the secret that the invited person received."),
  params: item,
  status: 200,
  response: Invitation,
});

export const acceptInvitation = consoleEndpoint({
  id: "console.invitation.accept",
  method: "POST",
  path: "/console/api/invitations/{id}/accept",
  summary: "Join an account",
  sudo: noSudo("Joins an account that invited this user, and gives nobody else access."),
  params: item,
  ...nothing,
  status: 204,
});
