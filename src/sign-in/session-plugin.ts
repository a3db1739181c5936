import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";

/** Exposes what the library otherwise does only inside its own endpoints. */
export const sessionPlugin = () =>
  ({
    id: "kurz-sessions",
    endpoints: {
      openSession: createAuthEndpoint.serverOnly(
        { method: "POST", body: z.object({ userId: z.string() }), requireHeaders: true },
        async (context) => {
          const { internalAdapter } = context.context;
          const user = await internalAdapter.findUserById(context.body.userId);
          if (!user) throw new APIError("UNAUTHORIZED");
          const session = await internalAdapter.createSession(user.id);
          await setSessionCookie(context, { session, user });
          return { id: session.id };
        },
      ),
      /** The user who has to enter a code, by the first step's cookie. */
      findChallenged: createAuthEndpoint.serverOnly({ method: "POST", requireHeaders: true }, async (context) => {
        const { internalAdapter, createAuthCookie, secret } = context.context;
        const challenge = await context.getSignedCookie(createAuthCookie("two_factor").name, secret);
        const found = challenge ? await internalAdapter.findVerificationValue(challenge) : null;
        return { userId: found?.value ?? null };
      }),
      /** Keeps the user and the expiry, under a new id. */
      replaceSession: createAuthEndpoint.serverOnly(
        { method: "POST", requireHeaders: true, use: [sensitiveSessionMiddleware] },
        async (context) => {
          const { internalAdapter } = context.context;
          const { session: old, user } = context.context.session;
          const { createdAt, expiresAt } = old;
          const session = await internalAdapter.createSession(user.id, false, { createdAt, expiresAt }, true);
          await setSessionCookie(context, { session, user });
          await internalAdapter.deleteSession(old.token);
          return { id: session.id };
        },
      ),
    },
  }) satisfies BetterAuthPlugin;
