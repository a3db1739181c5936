import type { AuthSettings } from "./auth-options.ts";

/** The sign-in library is large, and a server that nobody signs in to never needs it. */
async function loadAuth<Schema>(settings: AuthSettings<Schema>) {
  const [{ betterAuth }, { authOptions }] = await Promise.all([import("better-auth"), import("./auth-options.ts")]);
  return betterAuth(authOptions(settings));
}

export type Auth = Awaited<ReturnType<typeof loadAuth<unknown>>>;

/** Opened with the first call. */
export function lazyAuth(settings: AuthSettings<unknown>): () => Promise<Auth> {
  let opened: Promise<Auth> | null = null;
  return () => {
    opened ??= loadAuth(settings).catch((error: unknown) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}
