import { findUserId } from "#accounts/users.ts";
import { appendAudit } from "#audit/audit.service.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Auth } from "./auth.ts";
import { replaceSession } from "./change-credential.ts";
import { findPasswordTime } from "./credentials.store.ts";
import { callLibrary } from "./library-call.ts";
import { noteRefusal } from "./note-refusal.ts";
import { originOf, type Requester, type SignedInRequester, withoutSession } from "./requester.ts";
import { completeSession } from "./session-lifecycle.ts";
import { deleteSession } from "./sessions.store.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { strangersTurn } from "./strangers.ts";
import { spendCode, spendOwnCode } from "./two-factor-code.ts";

interface Credentials {
  readonly email: string;
  readonly password: string;
}

interface Confirmation {
  readonly password: string;
  /** Required from users with an authenticator app. */
  readonly code?: string | undefined;
}

type Json = Readonly<Record<string, unknown>>;
type PasskeyCall = NonNullable<Parameters<Auth["api"]["verifyPasskeyAuthentication"]>[0]>;

/** Every failure reads the same, whether or not the user exists. */
export function signInService(deps: SignInDeps) {
  const { auth, records, clock, throttle, devices } = deps;

  const noteRefusalOf = (email: string): void => {
    findUserId(records.read, email).then(
      (userId) => noteRefusal(deps, { userId, method: "password" }),
      () => {},
    );
  };

  const checkPassword = async (requester: Requester, body: Credentials, knownBy: string | null) => {
    const succeed = await throttle.begin(body.email, { clientAddress: requester.clientAddress, knownBy });
    const { api } = await auth();
    const result = await callLibrary(
      requester,
      api.signInEmail({ body, headers: withoutSession(requester), returnHeaders: true }),
    );
    if ("refusal" in result) {
      noteRefusalOf(body.email);
      throw signInFailed("The e-mail address or password is wrong.");
    }
    await succeed();
    return result;
  };

  /** A device counts only if someone has authenticated with it since the password was set. */
  const findDevice = async (headers: Headers, email: string): Promise<string | null> => {
    const device = devices.find(headers, email);
    if (!device) return null;
    const passwordSetAt = await findPasswordTime(records.read, email.toLowerCase());
    return passwordSetAt !== null && device.issuedAt >= passwordSetAt ? device.id : null;
  };

  /** Returns which kind of code it was. */
  const checkOwnCode = async (requester: SignedInRequester, code: string) => {
    const { userId } = requester.session;
    const succeed = await throttle.beginCode(userId);
    const method = await spendOwnCode(deps, requester, code);
    if (method === null) {
      noteRefusal(deps, { userId, method: "code" });
      throw signInFailed();
    }
    await succeed();
    return method;
  };

  const endSession = (id: string): Promise<void> => records.write((tx) => deleteSession(tx, { id }));

  return {
    async signIn(requester: Requester, { email, password }: Credentials) {
      const knownBy = await findDevice(requester.headers, email);
      const check = () => checkPassword(requester, { email, password }, knownBy);
      const result = await (knownBy === null ? strangersTurn(check) : check());
      if (!("token" in result.value) || !result.value.token) {
        if (requester.session) await endSession(requester.session.id);
        return { second_factor: true };
      }
      await completeSession(deps, requester, {
        by: { token: result.value.token },
        action: "session.started",
        details: { method: "password" },
        signedInBy: "password",
      });
      return { second_factor: false };
    },

    async signInWithCode(requester: Requester, code: string): Promise<undefined> {
      const { api } = await auth();
      const { userId } = await api.findChallenged({ headers: requester.headers });
      const succeed = await (userId === null
        ? throttle.beginFrom(requester.clientAddress, "code")
        : throttle.beginCode(userId));
      const used = await spendCode(deps, requester, code);
      if ("refused" in used) {
        noteRefusal(deps, { userId, method: "code" });
        throw used.refused === "locked" ? tooManyCodes() : signInFailed();
      }
      await succeed();
      await completeSession(deps, requester, {
        by: { token: used.token },
        action: "session.started",
        details: { method: used.method },
        signedInBy: "password",
      });
      return undefined;
    },

    async startPasskey(requester: Requester): Promise<Record<string, unknown>> {
      const { api } = await auth();
      const { headers } = requester;
      const result = await callLibrary(
        requester,
        api.generatePasskeyAuthenticationOptions({ headers, returnHeaders: true }),
      );
      if ("refusal" in result) throw signInFailed();
      // The library asks for user verification, but accepts an answer without it.
      return { ...result.value, userVerification: "required" };
    },

    async signInWithPasskey(requester: Requester, response: Json): Promise<undefined> {
      const { tooMany, succeed } = await throttle.tryFrom(requester.clientAddress, "passkey");
      const { api } = await auth();
      const cookies: string[] = [];
      const result = await callLibrary(
        { ...requester, cookies },
        api.verifyPasskeyAuthentication({
          // Only the library checks what the browser sent.
          body: { response: response as unknown as PasskeyCall["body"]["response"] },
          headers: withoutSession(requester),
          returnHeaders: true,
        }),
      );
      if ("refusal" in result) {
        if (tooMany) throw tooMany;
        noteRefusal(deps, { userId: null, method: "passkey" });
        throw signInFailed();
      }
      const { session } = result.value;
      if (requester.session && requester.session.userId !== session.userId) {
        await endSession(session.id);
        throw signInFailed();
      }
      await succeed();
      requester.cookies.push(...cookies);
      await completeSession(deps, requester, {
        by: { id: session.id },
        action: requester.session ? "session.confirmed" : "session.started",
        details: { method: "passkey" },
        signedInBy: requester.session ? requester.session.signedInBy : "passkey",
      });
      return undefined;
    },

    async confirmPassword(requester: SignedInRequester, { password, code }: Confirmation): Promise<undefined> {
      const { session, headers } = requester;
      if (session.twoFactorEnabled && code === undefined) {
        throw validationFailed([bodyProblem("code", "required", "Enter a code from your authenticator app, too.")]);
      }
      const succeed = await throttle.begin(session.email, originOf(requester));
      const { api } = await auth();
      const checked = await callLibrary(
        requester,
        api.verifyPassword({ body: { password }, headers, returnHeaders: true }),
      );
      if ("refusal" in checked) {
        noteRefusal(deps, { userId: session.userId, method: "password" });
        throw signInFailed("The password is wrong.");
      }
      await succeed();
      const method = session.twoFactorEnabled ? await checkOwnCode(requester, code ?? "") : "password";
      await completeSession(deps, requester, {
        by: { id: await replaceSession(deps, requester) },
        action: "session.confirmed",
        details: { method },
        signedInBy: session.signedInBy,
      });
      return undefined;
    },

    async signOut(requester: Requester): Promise<undefined> {
      const { api } = await auth();
      const { headers } = requester;
      await callLibrary(requester, api.signOut({ headers, returnHeaders: true }));
      if (requester.session) {
        const { userId } = requester.session;
        const entry = { at: clock(), accountNo: null, actor: `user:${userId}`, action: "session.ended" };
        await records.write((tx) => appendAudit(tx, { ...entry, subject: userId }));
      }
      return undefined;
    },
  };
}
export type SignInService = ReturnType<typeof signInService>;

const signInFailed = (
  message = "That didn't work. Check what you entered and try again.",
): ApiError<"sign_in_failed"> => new ApiError("sign_in_failed", message);

const LOCK_SECONDS = 900;

const tooManyCodes = (): ApiError =>
  new ApiError("rate_limited", "Too many wrong codes. Try again in 15 minutes.", {
    limit: 10,
    window_seconds: LOCK_SECONDS,
    retry_after: LOCK_SECONDS,
  }).withHeader("retry-after", String(LOCK_SECONDS));
