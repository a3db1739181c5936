import { z } from "zod";
import { Timestamp } from "../fields.ts";
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
      api_tokens: countable,
    }),
  }),
  rate_limit: z.object({ limit: z.int().nullable(), window_seconds: z.int() }),
  /** Whether it has a picture for the middle of its QR codes. */
  has_logo: z.boolean(),
});
export type Account = z.output<typeof Account>;

export const getAccount = consoleEndpoint({
  id: "console.account.get",
  method: "GET",
  path: "/console/api/account",
  summary: "The account, its plan and what it uses of it",
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

export const deleteAccount = consoleEndpoint({
  id: "console.account.delete",
  method: "DELETE",
  path: "/console/api/account",
  summary: "Delete the account with everything in it",
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

/** To be handed over where the deployment sends no mail. Anyone who has it may join. */
const InvitationLink = z.object({ url: z.string() });

export const listMembers = consoleEndpoint({
  id: "console.members.list",
  method: "GET",
  path: "/console/api/members",
  summary: "Who belongs to the account, and who is invited",
  sudo: reading,
  role: "viewer",
  status: 200,
  response: z.object({
    members: z.array(Member),
    /** Those that the caller could have made. */
    invitations: z.array(PendingInvitation),
  }),
});

export const inviteMember = consoleEndpoint({
  id: "console.members.invite",
  method: "POST",
  path: "/console/api/invitations",
  summary: "Invite someone by e-mail address",
  sudo: sudoFor(
    "Someone with a stolen session could let themselves in for good, with any role up to the person's own.",
  ),
  role: "admin",
  body: z.strictObject({ email: Email, role: RoleName }),
  status: 201,
  response: PendingInvitation.extend(InvitationLink.shape),
});

export const getInvitationLink = consoleEndpoint({
  id: "console.members.invitation_link",
  method: "GET",
  path: "/console/api/invitations/{id}/link",
  summary: "The link of an invitation, to hand it over",
  sudo: sudoFor("The link lets anyone in who has it, so it is as good as inviting oneself."),
  role: "admin",
  params: item,
  status: 200,
  response: InvitationLink,
});

export const cancelInvitation = consoleEndpoint({
  id: "console.members.cancel",
  method: "DELETE",
  path: "/console/api/invitations/{id}",
  summary: "Take an invitation back",
  sudo: noSudo("Only takes back access that nobody has used yet."),
  role: "admin",
  params: item,
  status: 204,
});

export const changeRole = consoleEndpoint({
  id: "console.members.change_role",
  method: "PATCH",
  path: "/console/api/members/{id}",
  summary: "Change someone's role",
  sudo: sudoFor("Gives people more rights, or takes them from an owner."),
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
  summary: "Remove someone, or leave",
  sudo: sudoFor("Locks people out, other owners among them."),
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
  summary: "The account's API tokens, without their values",
  sudo: reading,
  role: "admin",
  status: 200,
  response: z.object({ data: z.array(Token) }),
});

export const createToken = consoleEndpoint({
  id: "console.tokens.create",
  method: "POST",
  path: "/console/api/tokens",
  summary: "Make a token; its value is in this answer and nowhere else",
  sudo: sudoFor("The token works on after the session has ended."),
  role: "admin",
  body: z.strictObject({
    name: AccountName,
    scopes: z.array(Scope).min(1),
    expires_in_days: z.union([z.literal(30), z.literal(90), z.literal(365)]).nullable(),
  }),
  status: 201,
  response: z.object({ id: z.string(), token: z.string(), expires_at: Timestamp.nullable() }),
});

export const revokeToken = consoleEndpoint({
  id: "console.tokens.revoke",
  method: "DELETE",
  path: "/console/api/tokens/{id}",
  summary: "Revoke a token",
  sudo: noSudo("Only takes access away, and must be quick when a token has leaked."),
  role: "admin",
  params: item,
  status: 204,
});

export const AuditEntry = z.object({
  at: Timestamp,
  actor: z.string(),
  /** The person's name, where it was a person who still is a user. */
  actor_name: z.string().nullable(),
  action: z.string(),
  subject: z.string(),
  /** What people call the subject, where it is a user, token or endpoint that still is. */
  subject_name: z.string().nullable(),
  details: z.record(z.string(), z.unknown()),
});
export type AuditEntry = z.output<typeof AuditEntry>;

export const listAudit = consoleEndpoint({
  id: "console.audit.list",
  method: "GET",
  path: "/console/api/audit",
  summary: "What was changed, when and by whom, newest first",
  sudo: reading,
  role: "admin",
  query: z.strictObject({
    before: z.coerce.number().int().optional(),
    limit: z.coerce.number().int().min(1).max(100).default(50),
  }),
  status: 200,
  response: z.object({ data: z.array(AuditEntry), next_before: z.int().nullable() }),
});
