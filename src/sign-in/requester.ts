import { hasIdentity } from "#accounts/users.ts";
import type { Records } from "#engines/records/records.ts";
import type { RequestContext } from "#http/request-context.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Auth } from "./auth.ts";
import { toRefusal } from "./library-call.ts";
import { extendedEnd } from "./session-span.ts";
import { extendSession, findProof, type SessionProof } from "./sessions.store.ts";

/** Someone with a valid session. */
export interface Session extends SessionProof {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly twoFactorEnabled: boolean;
}

/** The person who sent a request to the console, signed in or not. */
export interface Requester {
  readonly headers: Headers;
  readonly clientAddress: string;
  readonly session: Session | null;
  /** `Set-Cookie` values for the response. */
  readonly cookies: string[];
}

export type SignedInRequester = Requester & { readonly session: Session };

/** Someone with a session has their own budget: other people's attempts on the account don't count against them. */
export const originOf = ({ clientAddress, session }: SignedInRequester) => ({ clientAddress, knownBy: session.id });

interface Deps {
  readonly auth: () => Promise<Auth>;
  readonly records: Records;
  readonly clock: Clock;
  /** How long a session lives, no matter how often it is used. */
  readonly sessionDays: number;
  /** Of the operator's provider; `null` if there is none. */
  readonly issuer: string | null;
}

const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?kurz\.session_token=/;

/** Looks the session up for every request, so ending one takes effect at once, and extends one that is in use. */
export function requesterReader({ auth, records, clock, sessionDays, issuer }: Deps) {
  /** Single sign-on counts no longer once the operator has another provider or none, or it knows the person no more. */
  const proves = async (method: SessionProof["signedInBy"], userId: string): Promise<boolean> =>
    method !== "sso" || (issuer !== null && (await hasIdentity(records.read, issuer, userId)));

  return async (request: Request, context: RequestContext): Promise<Requester> => {
    const { headers } = request;
    const requester = { headers, clientAddress: context.clientAddress, cookies: context.cookies };
    if (!SESSION_COOKIE.test(headers.get("cookie") ?? "")) return { ...requester, session: null };
    const { api } = await auth();
    // Without the cookies that the library sets: it would remove that of an unknown session. But this request may have left
    // just before the session got a new id, and its answer may arrive after that one's: the browser would lose its new
    // cookie.
    const found = await api.getSession({ headers }).catch(unlessRefused);
    if (!found) return { ...requester, session: null };
    const { session, user } = found;
    const row = await findProof(records.read, session.id);
    if (!row) return { ...requester, session: null };
    const now = clock();
    const end = extendedEnd(session, now, sessionDays);
    if (end !== null) await records.write((tx) => extendSession(tx, session.id, now, end));
    const { id: userId, name, email, twoFactorEnabled } = user;
    return {
      ...requester,
      session: {
        id: session.id,
        userId,
        name,
        email,
        twoFactorEnabled: twoFactorEnabled === true,
        sudoUntil: row.sudo_until ?? 0,
        signedInBy: (await proves(row.signed_in_by, userId)) ? row.signed_in_by : null,
      },
    };
  };
}

/** What the library refuses is no session. */
function unlessRefused(error: unknown): null {
  if (!toRefusal(error)) throw error;
  return null;
}

/** For calls that start a session: with the old one, the library would act for the user who is already signed in. */
export function withoutSession({ headers }: Requester): Headers {
  const stripped = new Headers(headers);
  const cookies = (headers.get("cookie") ?? "").split(/;\s*/).filter((cookie) => !SESSION_COOKIE.test(cookie));
  stripped.set("cookie", cookies.join("; "));
  return stripped;
}
