import { appendAudit } from "#audit/audit.service.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import { assertGoodPassword } from "./joining.service.ts";
import { callLibrary, toRefusal } from "./library-call.ts";
import { noteRefusal } from "./note-refusal.ts";
import { originOf, type Requester, type SignedInRequester } from "./requester.ts";
import { completeSession, endAllBut } from "./session-lifecycle.ts";
import type { SignInDeps } from "./sign-in-deps.ts";
import { takeOver } from "./take-over.ts";

interface PasswordDeps extends SignInDeps {
  /** Sends a reset link to the address if it has a user. `null`: mail is off. */
  readonly mailResetLink: ((email: string) => Promise<void>) | null;
  readonly onProblem: (message: string, error: unknown) => void;
}

export function passwordService(deps: PasswordDeps) {
  const { auth, records, clock, throttle, mailResetLink, onProblem } = deps;
  return {
    async change(requester: SignedInRequester, given: { current: string; password: string }): Promise<undefined> {
      const { email } = requester.session;
      assertGoodPassword(given.password, email);
      const succeed = await throttle.begin(email, originOf(requester));
      const { api } = await auth();
      const { headers } = requester;
      const body = { currentPassword: given.current, newPassword: given.password, revokeOtherSessions: true };
      const changed = await callLibrary(requester, api.changePassword({ body, headers, returnHeaders: true }));
      if ("refusal" in changed || !changed.value.token) {
        noteRefusal(deps, { userId: requester.session.userId, method: "password" });
        throw validationFailed([bodyProblem("current", "invalid_format", "This isn't your current password.")]);
      }
      await succeed();
      const { token } = changed.value;
      const { twoFactorEnabled, sudoUntil, signedInBy } = requester.session;
      await completeSession(deps, requester, {
        by: { token },
        action: "password.changed",
        endOthers: true,
        signedInBy,
        // The password alone is no re-authentication for someone with a second factor: no more time than they had.
        ...(twoFactorEnabled && { sudoUntil }),
      });
      return undefined;
    },

    /**
     * Every address gets the same answer after the same time. If mail is off nothing happens: then only the operator
     * can create a link, so that a stranger's request never creates a secret.
     */
    async forget({ clientAddress }: Requester, email: string): Promise<undefined> {
      await throttle.beginMail(email, clientAddress);
      void mailResetLink?.(email).catch((error: unknown) => onProblem("a password could not be reset", error));
      return undefined;
    },

    async reset({ clientAddress }: Requester, { token, password }: { token: string; password: string }) {
      const { tooMany, succeed } = await throttle.tryFrom(clientAddress, "reset");
      const { api, $context } = await auth();
      const { internalAdapter } = await $context;
      const found = await internalAdapter.findVerificationValue(`reset-password:${token}`);
      const user = found ? await internalAdapter.findUserById(found.value) : null;
      if (!user) throw tooMany ?? linkDead();
      assertGoodPassword(password, user.email);
      try {
        await api.resetPassword({ body: { token, newPassword: password } });
      } catch (error) {
        if (toRefusal(error)) throw linkDead();
        throw error;
      }
      await succeed();
      const entry = { at: clock(), accountNo: null, actor: `user:${user.id}`, action: "password.reset" };
      await records.write(async (tx) => {
        if (!user.emailVerified) await takeOver(tx, user.id);
        await endAllBut(tx, user.id, null);
        await appendAudit(tx, { ...entry, subject: user.id });
      });
      return undefined;
    },
  };
}
export type PasswordService = ReturnType<typeof passwordService>;

const linkDead = (): ApiError =>
  new ApiError("not_found", "This link has expired or has been used. Ask for a new one.");
