/** Signing in with the operator's provider. */
export const ssoTexts = {
  signInWith: (provider: string) => `Sign in with ${provider}`,
  confirmWith: (provider: string) => `Confirm with ${provider}`,
  or: "or",

  signingIn: "Signing you in",
  oneMoment: "One moment…",
  notSignedIn: "You’re not signed in",
  back: "Back to sign in",

  wall: (provider: string) => `This account requires single sign-on. Sign in with ${provider} to open it.`,
  wallWithoutProvider:
    "This account requires single sign-on, which isn’t set up on this server. Ask your administrator.",
  openOther: (account: string) => `Open ${account}`,

  title: "Single sign-on",
  optionalNote: (provider: string) => `Members can use ${provider}, a password or a passkey.`,
  requiredNote: (provider: string) => `Members can open this account only after they signed in with ${provider}.`,
  proveFirst: (provider: string) => `To require it, sign in with ${provider} yourself first, so nobody is locked out.`,
  require: "Require single sign-on",
  allowOthers: "Allow other ways",
  askRequire: (provider: string) => `Only let people in with ${provider}?`,
  askRequireNote: (provider: string) =>
    `Members who signed in with a password or a passkey lose access to this account until they sign in with ${provider}. API tokens keep working. If ${provider} is gone one day, the operator of this server can undo this.`,
  askAllow: "Allow other ways to sign in?",
  askAllowNote: "Members can then open this account with a password or a passkey, too.",

  noPassword: (provider: string) =>
    `You sign in with ${provider} and have no password. To set one, sign out and choose “Forgot password?”.`,
  noPasswordNorMail: (provider: string) =>
    `You sign in with ${provider} and have no password. To set one, ask your administrator for a link (kurz users reset-link).`,
  sudoNote: (provider: string) => `We ask again before sensitive changes. ${provider} opens, and you come back here.`,
};
