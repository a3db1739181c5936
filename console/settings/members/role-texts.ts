import type { Role } from "#contract/roles.ts";

/** What each role may do, from the least to the most. */
export const roleTexts: Readonly<Record<Role, { readonly label: string; readonly note: string }>> = {
  viewer: { label: "Viewer", note: "Sees links and reports, and changes nothing." },
  member: { label: "Member", note: "Also creates, edits, pauses, archives and deletes links." },
  admin: { label: "Admin", note: "Also handles domains, API tokens, webhooks and members, and reads the audit log." },
  owner: { label: "Owner", note: "Also renames and deletes the account, and makes other owners." },
};
