import type { Role } from "#contract/roles.ts";

interface RoleTexts {
  readonly label: string;
  /** Within a sentence. */
  readonly name: string;
  readonly names: string;
  /** What it may do besides what those before it may. */
  readonly note: string;
}

export const roleTexts: Readonly<Record<Role, RoleTexts>> = {
  viewer: {
    label: "Viewer",
    name: "viewer",
    names: "viewers",
    note: "Can view links and reports, but not change anything.",
  },
  member: {
    label: "Member",
    name: "member",
    names: "members",
    note: "Can also create, edit, pause, archive and delete links.",
  },
  admin: {
    label: "Admin",
    name: "admin",
    names: "admins",
    note: "Can also manage domains, API tokens, webhooks and members, and read the audit log.",
  },
  owner: {
    label: "Owner",
    name: "owner",
    names: "owners",
    note: "Can also rename and delete the account, and make others owners.",
  },
};

export const roleGateTexts = {
  title: (what: string, least: Role) => `${what} are for ${roleTexts[least].names}`,
  note: (account: string, role: Role) =>
    `Your role in ${account} is ${roleTexts[role].name}. An admin or owner can show you what you need, or change your role.`,
};
