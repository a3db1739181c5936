import type { ssoTexts as en } from "#texts/sso.ts";

export const ssoTexts: typeof en = {
  signInWith: (provider) => `Mit ${provider} anmelden`,
  confirmWith: (provider) => `Mit ${provider} bestätigen`,
  or: "oder",

  signingIn: "Sie werden angemeldet",
  oneMoment: "Einen Moment …",
  notSignedIn: "Sie sind nicht angemeldet",
  back: "Zurück zur Anmeldung",

  wall: (provider) => `Dieses Konto verlangt Single Sign-on. Melden Sie sich mit ${provider} an, um es zu öffnen.`,
  wallWithoutProvider:
    "Dieses Konto verlangt Single Sign-on, das auf diesem Server nicht eingerichtet ist. Fragen Sie Ihren Administrator.",
  openOther: (account) => `${account} öffnen`,

  title: "Single Sign-on",
  optionalNote: (provider) => `Mitglieder können ${provider}, ein Passwort oder einen Passkey benutzen.`,
  requiredNote: (provider) =>
    `Mitglieder können dieses Konto nur öffnen, wenn sie sich mit ${provider} angemeldet haben.`,
  proveFirst: (provider) =>
    `Um es zu verlangen, melden Sie sich zuerst selbst mit ${provider} an, damit niemand ausgesperrt wird.`,
  require: "Single Sign-on verlangen",
  allowOthers: "Andere Wege erlauben",
  askRequire: (provider) => `Nur noch mit ${provider} anmelden lassen?`,
  askRequireNote: (provider) =>
    `Mitglieder, die sich mit Passwort oder Passkey angemeldet haben, können dieses Konto erst wieder öffnen, wenn sie sich mit ${provider} anmelden. API-Tokens funktionieren weiter. Gibt es ${provider} eines Tages nicht mehr, kann der Betreiber dieses Servers das rückgängig machen.`,
  askAllow: "Andere Wege der Anmeldung erlauben?",
  askAllowNote: "Mitglieder können dieses Konto dann auch mit Passwort oder Passkey öffnen.",

  noPassword: (provider) =>
    `Sie melden sich mit ${provider} an und haben kein Passwort. Um eines festzulegen, melden Sie sich ab und wählen Sie „Passwort vergessen?“.`,
  noPasswordNorMail: (provider) =>
    `Sie melden sich mit ${provider} an und haben kein Passwort. Um eines festzulegen, bitten Sie Ihren Administrator um einen Link (kurz users reset-link).`,
  sudoNote: (provider) =>
    `Vor heiklen Änderungen fragen wir noch einmal nach. ${provider} öffnet sich, danach sind Sie wieder hier.`,
};
