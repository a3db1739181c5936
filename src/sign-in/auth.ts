import type { AuthSettings } from "./auth-options.ts";

/** Loaded on demand: the sign-in library is large, and a server nobody signs in to doesn't need it. */
async function loadAuth<Schema>(settings: AuthSettings<Schema>) {
  const [{ betterAuth }, { authOptions }] = await Promise.all([import("better-auth"), import("./auth-options.ts")]);
  return betterAuth(authOptions(settings));
}

export type Auth = Awaited<ReturnType<typeof loadAuth<unknown>>>;

/** Loads the library on the first call. */
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
