import type { Records } from "#engines/records/records.ts";
import type { RequestContext } from "#http/request-context.ts";
import type { Auth } from "./auth.ts";
import { findSudo } from "./sessions.store.ts";

/** Someone with a valid session. */
export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly email: string;
  readonly twoFactorEnabled: boolean;
  /** Until when dangerous things need no password again, in Unix milliseconds. */
  readonly sudoUntil: number;
}

/** Whoever sends a request to the console, signed in or not. */
export interface Visitor {
  readonly headers: Headers;
  readonly clientAddress: string;
  readonly session: Session | null;
  /** Values of `Set-Cookie` for the answer. */
  readonly cookies: string[];
}

export type SignedInVisitor = Visitor & { readonly session: Session };

/** Someone with a session is no stranger: what others try for their account does not count against them. */
export const originOf = ({ clientAddress, session }: SignedInVisitor) => ({ clientAddress, knownBy: session.id });

interface Deps {
  readonly auth: () => Promise<Auth>;
  readonly records: Records;
}

const SESSION_COOKIE = /(?:^|;\s*)(?:__Host-)?kurz\.session_token=/;

/** Looks the session up anew for every request: one that was ended is refused by the next. */
export function visitorReader({ auth, records }: Deps) {
  return async (request: Request, context: RequestContext): Promise<Visitor> => {
    const { headers } = request;
    const visitor = { headers, clientAddress: context.clientAddress, cookies: context.cookies };
    if (!SESSION_COOKIE.test(headers.get("cookie") ?? "")) return { ...visitor, session: null };
    const { api } = await auth();
    const answer = await api.getSession({ headers, returnHeaders: true });
    context.cookies.push(...answer.headers.getSetCookie());
    if (!answer.response) return { ...visitor, session: null };
    const { session, user } = answer.response;
    const row = await findSudo(records.read, session.id);
    if (!row) return { ...visitor, session: null };
    const { id: userId, name, email, twoFactorEnabled } = user;
    return {
      ...visitor,
      session: {
        id: session.id,
        userId,
        name,
        email,
        twoFactorEnabled: twoFactorEnabled === true,
        sudoUntil: row.sudo_until ?? 0,
      },
    };
  };
}

/** Without the session, for calls that begin one: the library would otherwise act for whoever is signed in already. */
export function headersOfGuest({ headers }: Visitor): Headers {
  const guest = new Headers(headers);
  const cookies = (headers.get("cookie") ?? "").split(/;\s*/).filter((cookie) => !SESSION_COOKIE.test(cookie));
  guest.set("cookie", cookies.join("; "));
  return guest;
}
