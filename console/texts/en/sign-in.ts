/** Pages before an account, and dialogs that ask who it is. */
export const signInTexts = {
  signIn: "Sign in",
  email: "E-mail address",
  password: "Password",
  back: "Back",
  continue: "Continue",
  forgotLink: "Forgot password?",
  newHere: "New here? {link}",
  createAnAccount: "Create an account",
  passkey: "Use a passkey",
  noPasskey: "No passkey was used.",

  codeTitle: "One more step",
  code: "Code",
  codeHint: "From your authenticator app, or one of your backup codes.",

  forgotTitle: "Forgot your password?",
  noMail: "This server doesn’t send mail. Ask your administrator for a link to set a new password.",
  noMailCommand: "Administrators create it with {command} and your e-mail address.",
  sendLink: "Send me a link",
  checkMail: "Check your mail",
  checkMailNote:
    "If this address is registered, a link to set a new password is on its way to it. It works for one hour.",
  backToSignIn: "Back to sign in",

  resetTitle: "Set a new password",
  setPassword: "Set password",
  passwordChanged: "Your password is changed. Sign in with it.",
  newPassword: "New password",
  newPasswordHint: (length: number) => `At least ${length} characters. A few unrelated words work well.`,

  accountName: "Account name",
  accountNameHint: "Your team, company or project.",
  yourName: "Your name",
  createAccount: "Create account",
  haveAccount: "Already have an account? {link}",

  setUpTitle: "Set up Kurz",
  setUpCode: "Set-up code",
  setUpCodeHint: "The server printed it when it started.",

  deadInvitation: "This invitation doesn’t work",
  deadInvitationNote: "This link has expired, was revoked or has been used. Ask for a new one.",
  joinAccount: (account: string) => `Join ${account}`,
  join: "Join",
  signedInAs: (email: string) => `You’re signed in as ${email}.`,
  forAnother: (invited: string, email: string) => `The invitation is for ${invited}, but you’re signed in as ${email}.`,
  signInAs: (email: string) => `Sign in as ${email} to continue.`,

  confirmEmailTitle: "Confirm your e-mail address",
  confirmEmailNote: "You’ll sign in with this address from now on. Sessions in other browsers end.",
  confirmEmail: "Confirm address",
  emailChanged: "E-mail address changed. Sign in with the new one from now on.",

  againTitle: "Sign in to continue",
  againNote: "Your session has ended. Nothing you typed is lost.",
  notNow: "Not now",

  sudoTitle: "Confirm it’s you",
  sudoNote: "We ask again before sensitive changes.",
  yourPassword: "Your password",
  demoPassword: "Filled in for you, as this is a demo.",
};
