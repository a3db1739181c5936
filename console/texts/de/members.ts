import type { memberTexts as en } from "#texts/members.ts";

export const memberTexts: typeof en = {
  title: "Mitglieder",
  onlyAdmins: "Admins und Inhaber laden Personen ein und ändern Rollen.",
  you: "Sie",
  rolesTitle: "Was die Rollen dürfen",

  remove: "Entfernen",
  removeWho: (name) => `${name} entfernen`,
  askRemove: (name) => `${name} entfernen?`,
  askRemoveNote: (name) => `${name} verliert sofort den Zugang. Erstellte Links und Tokens bleiben.`,
  leave: "Verlassen",
  leaveAccount: "Konto verlassen",
  askLeave: (account) => `${account} verlassen?`,
  askLeaveNote: "Sie sehen seine Links und Berichte dann nicht mehr. Um zurückzukommen, brauchen Sie eine Einladung.",

  roleOf: (name) => `Rolle von ${name}`,
  roleOfIs: (name, role) => `Rolle von ${name}: ${role}`,
  roleChanged: (name, role) => `${name} ist jetzt ${role}.`,
  askBecome: (role) => `Rolle zu „${role}“ ändern?`,
  askBecomeNote: (account, role) =>
    `Sie verlieren die Rechte, die Sie in ${account} als ${role} haben. Nur andere können sie Ihnen zurückgeben.`,
  changeMyRole: "Meine Rolle ändern",

  invitations: "Einladungen",
  invitationsNote: "Jede gilt sieben Tage lang.",
  expires: (day) => `gilt bis ${day}`,
  showLink: "Link anzeigen",
  showLinkFor: (email) => `Link für ${email} anzeigen`,
  cancelInvitation: (email) => `Einladung für ${email} zurückziehen`,
  cancel: "Zurückziehen",
  invite: "Einladen",
  inviteTitle: "Jemanden einladen",
  email: "E-Mail-Adresse",
  role: "Rolle",
  ready: "Einladung erstellt",
  mailSent: (email) => `Eine E-Mail an ${email} ist unterwegs. Sie enthält diesen Link:`,
  sendYourself: (email) => `Dieser Server verschickt keine E-Mails. Senden Sie diesen Link selbst an ${email}:`,
  link: "Einladungslink",
  linkNote: (email) => `Wer diesen Link hat, kann beitreten. Senden Sie ihn nur an ${email}.`,
  done: "Fertig",
};
