import { CommandError, exitCodes, UsageError } from "./exit-codes.ts";
import type { ProfileStore } from "./profile-store.ts";
import type { Environment } from "./view.ts";

export interface Connection {
  readonly url: string;
  readonly token: string;
  /** `null` if both come from the environment. */
  readonly profile: string | null;
}

/** What every token looks like, and more. */
export const TOKEN = /^[\x21-\x7e]+$/;

interface Sources {
  readonly env: Environment;
  readonly profiles: ProfileStore;
  /** As typed with `--profile`. */
  readonly profileName: string | undefined;
}

/** What was typed comes first, then the environment, then the current profile. */
export function findConnection(sources: Sources): Connection {
  const connection = chooseConnection(sources);
  if (!TOKEN.test(connection.token)) {
    const place = connection.profile === null ? "KURZ_TOKEN" : `the token of the profile ${connection.profile}`;
    throw new CommandError(
      `${place} has a space or another character that no token has: it must be the token alone, without "Bearer"`,
      exitCodes.notAllowed,
    );
  }
  return connection;
}

function chooseConnection({ env, profiles, profileName }: Sources): Connection {
  if (profileName !== undefined) return connectionOf(profiles, profileName);
  const token = env.KURZ_TOKEN?.trim() || undefined;
  const url = env.KURZ_URL ? instanceUrl(env.KURZ_URL, "KURZ_URL") : undefined;
  if (token !== undefined && url !== undefined) return { url, token, profile: null };
  const name = env.KURZ_PROFILE || profiles.current();
  const stored = name === null ? undefined : connectionOf(profiles, name);
  if (token !== undefined) {
    if (!stored) throw new UsageError("KURZ_TOKEN is set, but not KURZ_URL: the instance isn't known");
    return { url: stored.url, token, profile: null };
  }
  // A stored token is never sent to another instance than it was stored for.
  if (url !== undefined && url !== stored?.url) {
    throw new UsageError(`KURZ_URL is set to ${url}, but not KURZ_TOKEN: set both, or neither`);
  }
  if (!stored) throw new CommandError("you aren't signed in; run: kurz login", exitCodes.notAllowed);
  return stored;
}

function connectionOf(profiles: ProfileStore, name: string): Connection {
  const profile = profiles.find(name);
  if (profile) return { url: profile.url, token: profile.token, profile: name };
  const names = profiles.names();
  const known = names.length === 0 ? "there is none yet" : `there are ${names.join(", ")}`;
  throw new CommandError(
    `there is no profile ${JSON.stringify(name)} (${known}); run: kurz login --profile ${name}`,
    exitCodes.notAllowed,
  );
}

/** The origin of what people paste, which may be a page of the console, or a host without https. */
export function instanceUrl(text: string, name: string): string {
  const typed = text.trim();
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (typed === "" || !url || !/^https?:$/.test(url.protocol) || url.host === "") {
    throw new UsageError(
      `${name} must be the address of a Kurz instance, such as https://s.example, not ${JSON.stringify(typed)}`,
    );
  }
  return url.origin;
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|.+\.localhost)$/;

/** Whether others on the way can read a token that is sent there. */
export function isExposed(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "http:" && !LOOPBACK.test(hostname);
}
