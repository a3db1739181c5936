import { passkey } from "@better-auth/passkey";
import type { BetterAuthOptions } from "better-auth";
import { APIError } from "better-auth/api";
import { organization } from "better-auth/plugins/organization";
import { adminAc, defaultAc, memberAc, ownerAc } from "better-auth/plugins/organization/access";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Kysely } from "kysely";
import { hashPassword, PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, verifyPassword } from "#accounts/password.ts";
import { newId } from "#kernel/ids.ts";
import { sessionPlugin } from "./session-plugin.ts";
import { SESSION_DAYS, sessionEnd } from "./session-span.ts";

const DAY_SECONDS = 24 * 60 * 60;

const ID_PREFIXES: Readonly<Record<string, string>> = {
  user: "usr",
  session: "ses",
  account: "crd",
  verification: "ver",
  organization: "acc",
  member: "mem",
  invitation: "inv",
  twoFactor: "tfa",
  passkey: "pky",
};

export interface AuthSettings<Schema> {
  readonly db: Kysely<Schema>;
  readonly secret: string;
  readonly baseUrl: string;
  /** How long a session lives, no matter how often it is used. */
  readonly sessionDays?: number;
  /** Names a user agent's browser and system, which is all a session stores of it. */
  readonly describeDevice?: (userAgent: string) => string | null;
  readonly onProblem?: (message: string) => void;
}

/** Our account is better-auth's organization; better-auth's account (a way to sign in) is our credential. */
export function authOptions<Schema>(settings: AuthSettings<Schema>) {
  const { db, secret, baseUrl, sessionDays = SESSION_DAYS } = settings;
  const { describeDevice = () => null, onProblem = () => {} } = settings;
  const isHttps = baseUrl.startsWith("https:");
  return {
    appName: "Kurz",
    baseURL: baseUrl,
    secret,
    // How the library writes values, whichever engine stores them: flags as 0 or 1, dates as text.
    database: { db, type: "sqlite" as const },
    logger: { level: "error", log: (_, message) => onProblem(message) },
    telemetry: { enabled: false },
    // Its limit is per address only, and it never sees one; our own code throttles sign-in.
    rateLimit: { enabled: false },
    advanced: {
      // No other host of the domain can set a cookie with this prefix; the library's own is weaker.
      cookiePrefix: isHttps ? "__Host-kurz" : "kurz",
      useSecureCookies: false,
      defaultCookieAttributes: { secure: isHttps },
      ipAddress: { disableIpTracking: true },
      database: { generateId: ({ model }) => newId(getIdPrefix(model)) },
    },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
      revokeSessionsOnPasswordReset: true,
      password: {
        hash: hashPassword,
        verify: ({ hash, password }) => verifyPassword(password, hash),
      },
    },
    user: { modelName: "users", fields: snakeColumns("emailVerified", "createdAt", "updatedAt") },
    session: {
      modelName: "sessions",
      fields: snakeColumns("expiresAt", "createdAt", "updatedAt", "ipAddress", "userAgent", "userId"),
      // Of the cookie: it lasts as long as a session can, so that extending one needs no other. The session itself ends
      // earlier, below.
      expiresIn: sessionDays * DAY_SECONDS,
      // The library would renew the cookie, too. `requesterReader` extends sessions.
      disableSessionRefresh: true,
      // Our own sudo rule decides when to re-authenticate, not the session's age.
      freshAge: 0,
    },
    account: {
      modelName: "credentials",
      fields: {
        // `account_id` means our account in every other table.
        accountId: "provider_account_id",
        ...snakeColumns("providerId", "userId", "accessToken", "refreshToken", "idToken", "createdAt", "updatedAt"),
        ...snakeColumns("accessTokenExpiresAt", "refreshTokenExpiresAt"),
      },
    },
    verification: {
      modelName: "verifications",
      // The database contains no working reset link.
      storeIdentifier: "hashed",
      fields: snakeColumns("expiresAt", "createdAt", "updatedAt"),
    },
    databaseHooks: {
      session: {
        create: {
          before: async ({ userAgent, createdAt, expiresAt }) => {
            const end = sessionEnd(createdAt.getTime(), Date.now(), sessionDays);
            return {
              data: {
                userAgent: describeDevice(userAgent ?? ""),
                expiresAt: new Date(Math.min(expiresAt.getTime(), end)),
              },
            };
          },
        },
      },
    },
    plugins: [accountsPlugin(), twoFactorPlugin(), passkeyPlugin(baseUrl), sessionPlugin()],
  } satisfies BetterAuthOptions;
}

function accountsPlugin() {
  return organization({
    // Only our own use cases create and delete accounts, with their links and tokens.
    allowUserToCreateOrganization: false,
    disableOrganizationDeletion: true,
    roles: {
      owner: ownerAc,
      admin: adminAc,
      member: memberAc,
      viewer: defaultAc.newRole({ organization: [], member: [], invitation: [] }),
    },
    schema: {
      organization: { modelName: "accounts", fields: snakeColumns("createdAt") },
      member: {
        modelName: "members",
        fields: { organizationId: "account_id", ...snakeColumns("userId", "createdAt") },
      },
      invitation: {
        modelName: "invitations",
        fields: { organizationId: "account_id", ...snakeColumns("expiresAt", "createdAt", "inviterId") },
      },
      session: { fields: { activeOrganizationId: "active_account_id" } },
    },
  });
}

function twoFactorPlugin() {
  return twoFactor({
    issuer: "Kurz",
    schema: {
      user: { fields: snakeColumns("twoFactorEnabled") },
      twoFactor: {
        modelName: "two_factors",
        fields: snakeColumns("backupCodes", "userId", "failedVerificationCount", "lockedUntil"),
      },
    },
  });
}

function passkeyPlugin(baseUrl: string) {
  return passkey({
    rpID: new URL(baseUrl).hostname,
    rpName: "Kurz",
    origin: baseUrl,
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    registration: {
      afterVerification: async ({ verification }) => assertVerified(verification.registrationInfo?.userVerified),
    },
    authentication: {
      afterVerification: async ({ verification }) => assertVerified(verification.authenticationInfo.userVerified),
    },
    schema: {
      passkey: {
        modelName: "passkeys",
        fields: {
          credentialID: "credential_id",
          ...snakeColumns("publicKey", "userId", "deviceType", "backedUp", "createdAt"),
        },
      },
    },
  });
}

/** The library asks for user verification (finger or PIN), but accepts an answer without it. */
function assertVerified(verified: boolean | undefined): void {
  if (verified !== true) throw new APIError("UNAUTHORIZED", { message: "The passkey didn't verify its user." });
}

function getIdPrefix(model: string): string {
  const prefix = ID_PREFIXES[model];
  if (prefix === undefined) throw new Error(`no id prefix for the model ${model}`);
  return prefix;
}

function snakeColumns<Field extends string>(...fields: readonly Field[]): Record<Field, string> {
  const pairs = fields.map((field) => [field, field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)]);
  return Object.fromEntries(pairs) as Record<Field, string>;
}
