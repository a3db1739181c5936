import type { signInTexts as en } from "#texts/sign-in.ts";

export const signInTexts: typeof en = {
  signIn: "Anmelden",
  email: "E-Mail-Adresse",
  password: "Passwort",
  back: "Zurück",
  continue: "Weiter",
  forgotLink: "Passwort vergessen?",
  newHere: "Neu hier? {link}",
  createAnAccount: "Konto erstellen",
  passkey: "Passkey verwenden",
  noPasskey: "Es wurde kein Passkey verwendet.",

  codeTitle: "Noch ein Schritt",
  code: "Code",
  codeHint: "Aus Ihrer Authenticator-App, oder einer Ihrer Ersatzcodes.",

  forgotTitle: "Passwort vergessen?",
  noMail:
    "Dieser Server verschickt keine E-Mails. Bitten Sie Ihren Administrator um einen Link, mit dem Sie ein neues Passwort festlegen können.",
  noMailCommand: "Administratoren erstellen ihn mit {command} und Ihrer E-Mail-Adresse.",
  sendLink: "Link senden",
  checkMail: "Sehen Sie in Ihr Postfach",
  checkMailNote:
    "Wenn diese Adresse registriert ist, ist ein Link für ein neues Passwort unterwegs. Er gilt eine Stunde lang.",
  backToSignIn: "Zurück zur Anmeldung",

  resetTitle: "Neues Passwort festlegen",
  setPassword: "Passwort festlegen",
  passwordChanged: "Ihr Passwort ist geändert. Melden Sie sich damit an.",
  newPassword: "Neues Passwort",
  newPasswordHint: (length) =>
    `Mindestens ${length} Zeichen. Gut sind mehrere Wörter, die nichts miteinander zu tun haben.`,

  accountName: "Name des Kontos",
  accountNameHint: "Ihr Team, Ihre Firma oder Ihr Projekt.",
  yourName: "Ihr Name",
  createAccount: "Konto erstellen",
  haveAccount: "Sie haben schon ein Konto? {link}",

  setUpTitle: "Kurz einrichten",
  setUpCode: "Einrichtungscode",
  setUpCodeHint: "Der Server hat ihn beim Start ausgegeben.",

  deadInvitation: "Diese Einladung gilt nicht mehr",
  deadInvitationNote:
    "Der Link ist abgelaufen, wurde zurückgezogen oder schon benutzt. Bitten Sie um eine neue Einladung.",
  joinAccount: (account) => `${account} beitreten`,
  join: "Beitreten",
  signedInAs: (email) => `Sie sind als ${email} angemeldet.`,
  forAnother: (invited, email) => `Die Einladung ist für ${invited}, aber Sie sind als ${email} angemeldet.`,
  signInAs: (email) => `Melden Sie sich als ${email} an, um fortzufahren.`,

  confirmEmailTitle: "E-Mail-Adresse bestätigen",
  confirmEmailNote: "Ab jetzt melden Sie sich mit dieser Adresse an. Sitzungen in anderen Browsern werden beendet.",
  confirmEmail: "Adresse bestätigen",
  emailChanged: "E-Mail-Adresse geändert. Melden Sie sich ab jetzt mit der neuen an.",

  againTitle: "Zum Fortfahren anmelden",
  againNote: "Ihre Sitzung ist beendet. Ihre Eingaben sind noch da.",
  notNow: "Nicht jetzt",

  sudoTitle: "Bestätigen Sie, dass Sie es sind",
  sudoNote: "Vor heiklen Änderungen fragen wir noch einmal.",
  yourPassword: "Ihr Passwort",
  demoPassword: "In der Demo schon für Sie eingetragen.",
};
