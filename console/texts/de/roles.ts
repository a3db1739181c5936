import type { roleGateTexts as enGate, roleTexts as enRoles } from "#texts/roles.ts";

export const roleTexts: typeof enRoles = {
  viewer: {
    label: "Betrachter",
    name: "Betrachter",
    names: "Betrachter",
    note: "Kann Links und Berichte ansehen, aber nichts ändern.",
  },
  member: {
    label: "Mitglied",
    name: "Mitglied",
    names: "Mitglieder",
    note: "Kann außerdem Links erstellen, bearbeiten, pausieren, archivieren und löschen.",
  },
  admin: {
    label: "Admin",
    name: "Admin",
    names: "Admins",
    note: "Kann außerdem Domains, API-Tokens, Webhooks und Mitglieder verwalten und das Protokoll lesen.",
  },
  owner: {
    label: "Inhaber",
    name: "Inhaber",
    names: "Inhaber",
    note: "Kann außerdem das Konto umbenennen und löschen und andere zu Inhabern machen.",
  },
};

export const roleGateTexts: typeof enGate = {
  title: (what, least) => `${what}: nur für ${roleTexts[least].names}`,
  note: (account, role) =>
    `Ihre Rolle in ${account} ist „${roleTexts[role].name}“. Admins und Inhaber können Ihnen zeigen, was Sie brauchen, oder Ihre Rolle ändern.`,
};
