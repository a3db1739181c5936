import { CLIENT_HEADER, REQUEST_ID_HEADER, UNREAD_BODY_HEADER } from "#kernel/internal-headers.ts";

// RFC 9110 §7.6.1, plus the old Proxy-Connection, and Expect, which is answered by this process.
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
  "expect",
];
// Control reads the client address from the internal header, which clients can't set.
const CLAIMED_BY_CLIENT =
  /^(?:x-kurz-.*|x-forwarded-.*|forwarded|x-real-ip|x-client-ip|x-cluster-client-ip|true-client-ip|cf-connecting-ip)$/;

const HOP_BY_HOP_NAMES: ReadonlySet<string> = new Set(HOP_BY_HOP);

/** Whether a header goes to control as it is; `name` must be in lower case. */
export const isPassedField = (name: string): boolean =>
  !HOP_BY_HOP_NAMES.has(name) && name !== "host" && name !== "content-length" && !CLAIMED_BY_CLIENT.test(name);

export interface PassedFacts {
  readonly clientAddress: string;
  readonly requestId: string;
  /** The length of a body that isn't passed on. */
  readonly unreadBytes: number | undefined;
}

export interface RequestFacts extends PassedFacts {
  readonly baseHost: string;
  readonly proxyHops: number;
}

/** The headers of a request to control, which can trust the internal ones. */
export function requestHeadersFor(from: Headers, facts: RequestFacts): Headers {
  const headers = withoutHopByHop(from);
  for (const name of [...headers.keys()]) if (CLAIMED_BY_CLIENT.test(name)) headers.delete(name);
  // `fetch` sets it for the body that is passed on.
  headers.delete("content-length");
  if (facts.unreadBytes !== undefined) headers.set(UNREAD_BODY_HEADER, String(facts.unreadBytes));
  const proto = forwardedProto(from, facts.proxyHops);
  if (proto !== undefined) headers.set("x-forwarded-proto", proto);
  headers.set("host", facts.baseHost);
  headers.set(CLIENT_HEADER, facts.clientAddress);
  headers.set(REQUEST_ID_HEADER, facts.requestId);
  return headers;
}

export function unreadBytesOf(headers: Headers): number | undefined {
  const bytes = headers.get(UNREAD_BODY_HEADER);
  return bytes === null ? undefined : Number(bytes);
}

export function responseHeadersFrom(from: Headers, requestId: string): Headers {
  const headers = withoutHopByHop(from);
  if (!headers.has("x-request-id")) headers.set("x-request-id", requestId);
  return headers;
}

function withoutHopByHop(from: Headers): Headers {
  const headers = new Headers(from);
  for (const name of from.get("connection")?.split(",") ?? []) deleteNamed(headers, name.trim());
  for (const name of HOP_BY_HOP) headers.delete(name);
  return headers;
}

function deleteNamed(headers: Headers, name: string): void {
  try {
    headers.delete(name);
  } catch {
    // An invalid name names no header.
  }
}

/** The scheme that the outermost trusted proxy saw. */
export function forwardedProto(from: Pick<Headers, "get">, proxyHops: number): string | undefined {
  if (proxyHops === 0) return undefined;
  const protos = from.get("x-forwarded-proto")?.split(",");
  return protos?.[Math.max(0, protos.length - proxyHops)]?.trim().toLowerCase();
}
