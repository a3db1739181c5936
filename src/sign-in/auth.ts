import { callWithRecords } from "#engines/records/library-sql.ts";
import type { AuthSettings } from "./auth-options.ts";

/** Loaded on demand: the sign-in library is large, and a server nobody signs in to doesn't need it. */
async function loadAuth<Schema>(settings: AuthSettings<Schema>) {
  const [{ betterAuth }, { authOptions }] = await Promise.all([import("better-auth"), import("./auth-options.ts")]);
  const auth = betterAuth(authOptions(settings));
  return { ...auth, api: withRecordsErrors(auth.api) };
}

/** The library hides why it failed; that the records are away must be told from a mistake of ours. */
const withRecordsErrors = <Api extends object>(api: Api): Api =>
  new Proxy(api, {
    get(target, name, receiver) {
      const member: unknown = Reflect.get(target, name, receiver);
      if (typeof member !== "function") return member;
      return (...input: readonly unknown[]) => callWithRecords(async () => member.apply(target, input));
    },
  });

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
