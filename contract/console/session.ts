import { z } from "zod";
import { label } from "../fields.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { RoleName } from "./role-name.ts";
import { SignInMethod } from "./sign-in-method.ts";
import { noSudo, reading } from "./sudo.ts";

export const Email = z.email("Must be an e-mail address.").max(254);
export const NewPassword = z.string().min(12).max(128);
const Password = z.string().min(1).max(128);
export const PersonName = label(100);
export const AccountName = label(100);

export const Membership = z.object({
  id: z.string(),
  name: z.string(),
  role: RoleName,
  plan_id: z.string(),
  suspended: z.boolean(),
  /** Whether it can't be opened before signing in with the operator's provider. */
  needs_sso: z.boolean(),
});
export type Membership = z.output<typeof Membership>;

export const User = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  two_factor_enabled: z.boolean(),
});

/** What the page needs before it can render anything. */
export const ConsoleState = z.object({
  version: z.string(),
  base_url: z.string(),
  short_domain: z.string(),
  /** There is no account yet: the first one is created with the operator's one-time code. */
  setup_required: z.boolean(),
  signup: z.enum(["closed", "open", "invite"]),
  /** Without mail, people pass on password and invitation links themselves. */
  sends_mail: z.boolean(),
  /** Whether the server asks sites for their icons and titles. */
  page_lookups: z.boolean(),
  /** The operator's provider for single sign-on. */
  sso: z.object({ name: z.string() }).nullable(),
  demo: z.object({ resets_at: z.string(), email: z.string(), password: z.string(), token: z.string() }).nullable(),
  session: z
    .object({
      user: User,
      accounts: z.array(Membership),
      /** Until when sensitive changes need no re-authentication. */
      sudo_until: z.string().nullable(),
      /** `null` for a session that began before this was stored. */
      signed_in_by: SignInMethod.nullable(),
      has_password: z.boolean(),
    })
    .nullable(),
});
export type ConsoleState = z.output<typeof ConsoleState>;

const post = { method: "POST", status: 204, open: true } as const;

export const getState = consoleEndpoint({
  id: "console.state",
  open: true,
  method: "GET",
  path: "/console/api/state",
  summary: "Get the signed-in user and what this deployment offers",
  sudo: reading,
  status: 200,
  response: ConsoleState,
});

export const setUp = consoleEndpoint({
  ...post,
  id: "console.set_up",
  path: "/console/api/setup",
  summary: "Create the first account with the code printed by the server",
  sudo: noSudo("There is no user yet; requires the operator's code."),
  body: z.strictObject({
    code: z.string().min(1).max(100),
    email: Email,
    name: PersonName,
    account_name: AccountName,
    password: NewPassword,
  }),
});

export const signUp = consoleEndpoint({
  ...post,
  id: "console.sign_up",
  path: "/console/api/sign-up",
  summary: "Sign up, with a new account or to join one by invitation",
  sudo: noSudo("Starts a session for a new user."),
  body: z.strictObject({
    email: Email,
    name: PersonName,
    password: NewPassword,
    account_name: AccountName.optional(),
    invitation: z.string().max(255).optional(),
  }),
});

export const signIn = consoleEndpoint({
  id: "console.sign_in",
  open: true,
  method: "POST",
  path: "/console/api/sign-in",
  summary: "Sign in with a password",
  sudo: noSudo("Requires the password itself."),
  body: z.strictObject({ email: Email, password: Password }),
  status: 200,
  response: z.object({ second_factor: z.boolean().describe("Whether a code is still required.") }),
});

/** From the authenticator app, or a backup code. */
const Code = z.string().min(6).max(20);

export const signInWithCode = consoleEndpoint({
  ...post,
  id: "console.sign_in.code",
  path: "/console/api/sign-in/code",
  summary: "Finish signing in with a code from the authenticator app, or a backup code",
  sudo: noSudo("Requires a code itself."),
  body: z.strictObject({ code: Code }),
});

/** WebAuthn options and responses are passed through between browser and library. */
const PasskeyJson = z.record(z.string(), z.unknown());

export const startPasskeySignIn = consoleEndpoint({
  id: "console.sign_in.passkey.start",
  open: true,
  method: "POST",
  path: "/console/api/sign-in/passkey/start",
  summary: "Start signing in or re-authenticating with a passkey",
  sudo: noSudo("Only returns a passkey challenge."),
  body: z.strictObject({}),
  bodyOptional: true,
  status: 200,
  response: PasskeyJson,
});

export const signInWithPasskey = consoleEndpoint({
  ...post,
  id: "console.sign_in.passkey",
  path: "/console/api/sign-in/passkey",
  summary: "Finish signing in with a passkey",
  sudo: noSudo("Requires a passkey itself."),
  body: z.strictObject({ response: PasskeyJson }),
});

export const signOut = consoleEndpoint({
  id: "console.sign_out",
  open: true,
  method: "POST",
  path: "/console/api/sign-out",
  summary: "Sign out",
  sudo: noSudo("Only ends the session."),
  body: z.strictObject({}),
  bodyOptional: true,
  status: 200,
  response: z.object({
    continue_at: z.string().nullable().describe("Where to sign out of the operator's provider as well."),
  }),
});

export const confirmPassword = consoleEndpoint({
  id: "console.sudo",
  method: "POST",
  status: 204,
  path: "/console/api/sudo",
  summary: "Re-authenticate with the password, and a code if you use one, before a sensitive change",
  sudo: noSudo("This is the re-authentication."),
  body: z.strictObject({ password: Password, code: Code.optional() }),
});

export const forgetPassword = consoleEndpoint({
  ...post,
  id: "console.password.forgot",
  path: "/console/api/password/forgot",
  summary: "Request a password reset link; the response doesn't reveal whether the address is registered",
  sudo: noSudo("At most sends a mail to the address's owner."),
  body: z.strictObject({ email: Email }),
});

export const resetPassword = consoleEndpoint({
  ...post,
  id: "console.password.reset",
  path: "/console/api/password/reset",
  summary: "Set a new password with a reset link",
  sudo: noSudo("Requires the secret from a reset link."),
  body: z.strictObject({ token: z.string().min(1).max(255), password: NewPassword }),
});
