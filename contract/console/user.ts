import { z } from "zod";
import { Timestamp } from "../fields.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { Email, NewPassword, PersonName, User } from "./session.ts";
import { noSudo, reading, sudoFor } from "./sudo.ts";

const item = z.strictObject({ id: z.string().max(255) });
const nothing = { body: z.strictObject({}), bodyOptional: true } as const;

export const updateUser = consoleEndpoint({
  id: "console.user.update",
  method: "PATCH",
  path: "/console/api/user",
  summary: "Change your name",
  sudo: noSudo("A label that is easily changed back."),
  body: z.strictObject({ name: PersonName }),
  status: 200,
  response: User,
});

export const changeEmail = consoleEndpoint({
  id: "console.user.email",
  method: "POST",
  path: "/console/api/user/email",
  summary: "Change your e-mail address",
  sudo: sudoFor("People sign in with it, and links to set a password go there."),
  body: z.strictObject({ email: Email }),
  status: 200,
  response: z.object({
    confirmation_sent: z.boolean().describe("It counts once the link in the mail is opened; without mail, at once."),
  }),
});

export const confirmEmail = consoleEndpoint({
  id: "console.user.email.confirm",
  open: true,
  method: "POST",
  path: "/console/api/email/confirm",
  summary: "Confirm a new e-mail address with the link that was mailed to it",
  sudo: noSudo("The change was asked for with re-authentication; the link proves who reads the mail."),
  body: z.strictObject({ token: z.string().min(1).max(255) }),
  status: 204,
});

export const deleteUser = consoleEndpoint({
  id: "console.user.delete",
  method: "DELETE",
  path: "/console/api/user",
  summary: "Delete yourself; accounts that are yours alone go first",
  sudo: sudoFor("Ends someone's access to everything, for good."),
  status: 204,
});

export const changePassword = consoleEndpoint({
  id: "console.user.password",
  method: "POST",
  path: "/console/api/user/password",
  summary: "Change your password; every other session ends",
  sudo: noSudo("Asks for the current password itself."),
  body: z.strictObject({ current: z.string().min(1).max(128), password: NewPassword }),
  status: 204,
});

export const UserSession = z.object({
  id: z.string(),
  current: z.boolean(),
  /** As "Firefox on Linux"; more is not kept. */
  device: z.string().nullable(),
  created_at: Timestamp,
  last_used_at: Timestamp,
  expires_at: Timestamp,
});
export type UserSession = z.output<typeof UserSession>;

export const listSessions = consoleEndpoint({
  id: "console.sessions.list",
  method: "GET",
  path: "/console/api/user/sessions",
  summary: "Where you are signed in",
  sudo: reading,
  status: 200,
  response: z.object({ data: z.array(UserSession) }),
});

export const endSession = consoleEndpoint({
  id: "console.sessions.end",
  method: "DELETE",
  path: "/console/api/user/sessions/{id}",
  summary: "End one session",
  sudo: noSudo("Only takes access away, and must be quick when a device is lost."),
  params: item,
  status: 204,
});

export const endOtherSessions = consoleEndpoint({
  id: "console.sessions.end_others",
  method: "POST",
  path: "/console/api/user/sessions/end-others",
  summary: "End every session but this one",
  sudo: noSudo("Only takes access away, and must be quick when a device is lost."),
  ...nothing,
  status: 204,
});

export const startTwoFactor = consoleEndpoint({
  id: "console.two_factor.start",
  method: "POST",
  path: "/console/api/user/two-factor",
  summary: "Begin to use an authenticator app",
  sudo: sudoFor("Someone else's second factor would lock the person out."),
  ...nothing,
  status: 200,
  response: z.object({ uri: z.string(), secret: z.string(), backup_codes: z.array(z.string()) }),
});

export const confirmTwoFactor = consoleEndpoint({
  id: "console.two_factor.confirm",
  method: "POST",
  path: "/console/api/user/two-factor/confirm",
  summary: "Switch it on with a first code",
  sudo: sudoFor("Someone else's second factor would lock the person out."),
  body: z.strictObject({ code: z.string().min(6).max(10) }),
  status: 204,
});

export const renewBackupCodes = consoleEndpoint({
  id: "console.two_factor.renew_codes",
  method: "POST",
  path: "/console/api/user/two-factor/backup-codes",
  summary: "Make new backup codes; the old ones stop working",
  sudo: sudoFor("Backup codes are ways in."),
  ...nothing,
  status: 200,
  response: z.object({ backup_codes: z.array(z.string()) }),
});

export const endTwoFactor = consoleEndpoint({
  id: "console.two_factor.end",
  method: "DELETE",
  path: "/console/api/user/two-factor",
  summary: "Stop using the authenticator app",
  sudo: sudoFor("Makes signing in easier for others."),
  status: 204,
});

export const Passkey = z.object({ id: z.string(), name: z.string(), created_at: Timestamp });
export type Passkey = z.output<typeof Passkey>;

export const listPasskeys = consoleEndpoint({
  id: "console.passkeys.list",
  method: "GET",
  path: "/console/api/user/passkeys",
  summary: "Your passkeys",
  sudo: reading,
  status: 200,
  response: z.object({ data: z.array(Passkey) }),
});

const PasskeyJson = z.record(z.string(), z.unknown());

export const startPasskey = consoleEndpoint({
  id: "console.passkeys.start",
  method: "POST",
  path: "/console/api/user/passkeys/start",
  summary: "Begin to add a passkey",
  sudo: sudoFor("A passkey is a way in that outlives the session."),
  ...nothing,
  status: 200,
  response: PasskeyJson,
});

export const addPasskey = consoleEndpoint({
  id: "console.passkeys.add",
  method: "POST",
  path: "/console/api/user/passkeys",
  summary: "Add a passkey",
  sudo: noSudo("Needs a challenge that only console.passkeys.start gives, for a few minutes."),
  body: z.strictObject({ name: PersonName, response: PasskeyJson }),
  status: 201,
  response: Passkey,
});

export const renamePasskey = consoleEndpoint({
  id: "console.passkeys.rename",
  method: "PATCH",
  path: "/console/api/user/passkeys/{id}",
  summary: "Give a passkey another name",
  sudo: noSudo("A label that is easily changed back."),
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
  sudo: sudoFor("Takes a way in from the person."),
  params: item,
  status: 204,
});

export const Invitation = z.object({
  id: z.string(),
  account_name: z.string(),
  email: z.string(),
  role: z.string(),
  /** Whether this address has a user already, who then signs in instead of signing up. */
  has_user: z.boolean(),
});

export const getInvitation = consoleEndpoint({
  id: "console.invitation.get",
  open: true,
  method: "GET",
  path: "/console/api/invitations/{id}",
  summary: "What an invitation is for; its id is a secret that only the invited know",
  sudo: noSudo("Reads only; its id is the secret that the invited person was given."),
  params: item,
  status: 200,
  response: Invitation,
});

export const acceptInvitation = consoleEndpoint({
  id: "console.invitation.accept",
  method: "POST",
  path: "/console/api/invitations/{id}/accept",
  summary: "Join an account",
  sudo: noSudo("Joins an account that invited this person, and gives nobody else anything."),
  params: item,
  ...nothing,
  status: 204,
});
