import { z } from "zod";
import { ARCHIVE_MEDIA_TYPE } from "../account-archive.ts";
import { Timestamp } from "../fields.ts";
import { QrDesign } from "../qr.ts";
import { Scope } from "../scopes.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { RoleName } from "./role-name.ts";
import { AccountName, Email } from "./session.ts";
import { noSudo, reading, sudoFor } from "./sudo.ts";

const item = z.strictObject({ id: z.string().max(255) });
const countable = z.object({ limit: z.int().nullable(), used: z.int() });

export const Account = z.object({
  id: z.string(),
  name: z.string(),
  created_at: Timestamp,
  role: RoleName,
  plan: z.object({
    id: z.string(),
    features: z.object({
      api_access: z.boolean(),
      active_links: countable,
      webhook_endpoints: countable,
      domains: countable,
      api_tokens: countable,
      rules_per_link: z.object({ limit: z.int().nullable() }),
    }),
  }),
  rate_limit: z.object({ limit: z.int().nullable(), window_seconds: z.int() }),
  /** Whether it has a logo for its QR codes. */
  has_logo: z.boolean(),
  /** What the console starts new QR codes with; `null` until someone has downloaded one. */
  qr_design: QrDesign.nullable(),
  /** Whether members must sign in with the operator's provider. */
  sso_required: z.boolean(),
});
export type Account = z.output<typeof Account>;

export const getAccount = consoleEndpoint({
  id: "console.account.get",
  method: "GET",
  path: "/console/api/account",
  summary: "Get the account, its plan and its usage",
  sudo: reading,
  role: "viewer",
  status: 200,
  response: Account,
});

export const updateAccount = consoleEndpoint({
  id: "console.account.update",
  method: "PATCH",
  path: "/console/api/account",
  summary: "Rename the account",
  sudo: noSudo("A label that is easily changed back."),
  role: "owner",
  body: z.strictObject({ name: AccountName }),
  status: 200,
  response: Account,
});

export const downloadAccount = consoleEndpoint({
  id: "console.account.export",
  method: "GET",
  path: "/console/api/export/account",
  summary: "Download everything the account has as an archive, without secrets",
  sudo: noSudo("Read-only: shows what admins see anyway, and no secrets."),
  role: "admin",
  // A download can't send the header with the account id.
  query: z.strictObject({ account: z.string().max(255).optional() }),
  status: 200,
  downloads: [ARCHIVE_MEDIA_TYPE],
});

export const deleteAccount = consoleEndpoint({
  id: "console.account.delete",
  method: "DELETE",
  path: "/console/api/account",
  summary: "Delete the account and everything in it",
  sudo: sudoFor("Destroys everything in the account."),
  role: "owner",
  status: 204,
});

export const Member = z.object({
  id: z.string(),
  user_id: z.string(),
  name: z.string(),
  email: z.string(),
  role: RoleName,
  joined_at: Timestamp,
});
export type Member = z.output<typeof Member>;

export const PendingInvitation = z.object({
  id: z.string(),
  email: z.string(),
  role: RoleName,
  expires_at: Timestamp,
});
export type PendingInvitation = z.output<typeof PendingInvitation>;

/** For the inviter to pass on if the deployment sends no mail. Anyone who has it can join. */
const InvitationLink = z.object({ url: z.string() });

export const listMembers = consoleEndpoint({
  id: "console.members.list",
  method: "GET",
  path: "/console/api/members",
  summary: "List members and pending invitations",
  sudo: reading,
  role: "viewer",
  status: 200,
  response: z.object({
    members: z.array(Member),
    /** Only those the caller could have created. */
    invitations: z.array(PendingInvitation),
  }),
});

export const inviteMember = consoleEndpoint({
  id: "console.members.invite",
  method: "POST",
  path: "/console/api/invitations",
  summary: "Invite someone by e-mail address",
  sudo: sudoFor("A stolen session could be used to gain permanent access, with any role up to the user's own."),
  role: "admin",
  body: z.strictObject({ email: Email, role: RoleName }),
  status: 201,
  response: PendingInvitation.extend(InvitationLink.shape),
});

export const getInvitationLink = consoleEndpoint({
  id: "console.members.invitation_link",
  method: "GET",
  path: "/console/api/invitations/{id}/link",
  summary: "Get an invitation link to pass on",
  sudo: sudoFor("Anyone with the link can join, so it is equivalent to inviting yourself."),
  role: "admin",
  params: item,
  status: 200,
  response: InvitationLink,
});

export const cancelInvitation = consoleEndpoint({
  id: "console.members.cancel",
  method: "DELETE",
  path: "/console/api/invitations/{id}",
  summary: "Revoke an invitation",
  sudo: noSudo("Only revokes access that nobody has used yet."),
  role: "admin",
  params: item,
  status: 204,
});

export const changeRole = consoleEndpoint({
  id: "console.members.change_role",
  method: "PATCH",
  path: "/console/api/members/{id}",
  summary: "Change someone's role",
  sudo: sudoFor("Can give people more rights, or take them from an owner."),
  role: "admin",
  params: item,
  body: z.strictObject({ role: RoleName }),
  status: 200,
  response: Member,
});

export const removeMember = consoleEndpoint({
  id: "console.members.remove",
  method: "DELETE",
  path: "/console/api/members/{id}",
  summary: "Remove a member, or leave the account",
  sudo: sudoFor("Locks people out, including other owners."),
  role: "viewer",
  params: item,
  status: 204,
});

export const Token = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(Scope),
  rate_limit: z.int().nullable(),
  created_at: Timestamp,
  expires_at: Timestamp.nullable(),
  revoked_at: Timestamp.nullable(),
  last_used_at: Timestamp.nullable(),
});
export type Token = z.output<typeof Token>;

export const listTokens = consoleEndpoint({
  id: "console.tokens.list",
  method: "GET",
  path: "/console/api/tokens",
  summary: "List the account's API tokens, without their values",
  sudo: reading,
  role: "admin",
  status: 200,
  response: z.object({ data: z.array(Token) }),
});

export const createToken = consoleEndpoint({
  id: "console.tokens.create",
  method: "POST",
  path: "/console/api/tokens",
  summary: "Create a token; its value is only in this response",
  sudo: sudoFor("The token keeps working after the session ends."),
  role: "admin",
  body: z.strictObject({
    name: AccountName,
    scopes: z.array(Scope).min(1),
    expires_in_days: z.literal([30, 90, 365]).nullable(),
  }),
  status: 201,
  response: z.object({ id: z.string(), token: z.string(), expires_at: Timestamp.nullable() }),
});

export const revokeToken = consoleEndpoint({
  id: "console.tokens.revoke",
  method: "DELETE",
  path: "/console/api/tokens/{id}",
  summary: "Revoke a token",
  sudo: noSudo("Only removes access, and must be quick if a token has leaked."),
  role: "admin",
  params: item,
  status: 204,
});

export const AuditEntry = z.object({
  at: Timestamp,
  actor: z.string(),
  /** The name of the user or token, if it still exists. */
  actor_name: z.string().nullable(),
  /** `api`, `console`, `command` or `server`. */
  from: z.string(),
  action: z.string(),
  subject: z.string(),
  /** The subject's name, if it is a user, token, endpoint or domain that still exists; a link's slug in any case. */
  subject_name: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.output<typeof AuditEntry>;

export const listAudit = consoleEndpoint({
  id: "console.audit.list",
  method: "GET",
  path: "/console/api/audit",
  summary: "List what was changed in the account and on its links, when and by whom, newest first",
  sudo: reading,
  role: "admin",
  query: z.strictObject({
    before: z
      .string()
      .regex(/^\d{1,16}-\d{1,16}$/)
      .optional()
      .describe("The previous page's `next_before`."),
    limit: z.coerce.number().int().min(1).max(100).default(50),
    actor: z
      .string()
      .max(255)
      .optional()
      .describe("As in the entries: `user:…`, `token:…`, `operator`, `system` or `blocklist`."),
    action: z
      .string()
      .regex(/^[a-z_]{1,40}(?:\.[a-z_]{1,40})?$/)
      .optional()
      .describe("One action, such as `link.paused`, or all about a topic, such as `link`."),
    link: z.string().max(255).optional().describe("The id of the link that was changed."),
  }),
  status: 200,
  response: z.object({ data: z.array(AuditEntry), next_before: z.string().nullable() }),
});
