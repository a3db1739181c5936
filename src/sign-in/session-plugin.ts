import type { BetterAuthPlugin } from "better-auth";
import { APIError, createAuthEndpoint, sensitiveSessionMiddleware } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
import { z } from "zod";

/** What the library does within its own operations only: to begin a session for someone, and to replace one. */
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
      /** The same person and the same end, under a new id. */
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
