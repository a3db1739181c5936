import { type OutboundClient, OutboundError, type OutboundResponse } from "#engines/outbound/outbound-client.ts";

export interface PageAccess {
  readonly client: OutboundClient;
  /** Asked for every address, also those that redirects lead to. */
  readonly isAllowed: (url: string) => boolean;
  /** For everything that one look-up asks. */
  readonly timeoutMs: number;
}

interface Wish {
  readonly url: string;
  readonly accept: string;
  readonly readBytesMax: number;
  /** In milliseconds, as `performance.now()` counts them. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

export interface FetchedPage {
  /** After redirects. */
  readonly url: string;
  readonly response: OutboundResponse;
}

const REDIRECTS_MAX = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/** What is at the address, without cookies; `null` if there is nothing, or it may not be asked. */
export async function fetchPage({ client, isAllowed }: PageAccess, wish: Wish): Promise<FetchedPage | null> {
  const { accept, readBytesMax, deadline, signal } = wish;
  const headers = {
    // As a program's, so that nobody counts a visitor.
    "User-Agent": "Mozilla/5.0 (compatible; KurzBot/1.0)",
    Accept: accept,
    "Accept-Encoding": "identity",
  };
  let { url } = wish;
  for (let redirects = 0; redirects <= REDIRECTS_MAX; redirects += 1) {
    const timeoutMs = Math.ceil(deadline - performance.now());
    if (timeoutMs <= 0 || !isAllowed(url)) return null;
    const response = await client.get({ url, headers, timeoutMs, readBytesMax, signal }).catch(withoutAnswer);
    if (!response) return null;
    const next = nextUrl(url, response);
    if (next === undefined) return isReadable(response) ? { url, response } : null;
    if (next === null) return null;
    url = next;
  }
  return null;
}

/** Where a redirect leads, or `null` if nowhere; `undefined` if it is none. */
function nextUrl(url: string, { status, headers: { location } }: OutboundResponse): string | null | undefined {
  if (!REDIRECTS.has(status)) return undefined;
  const next = location === undefined ? null : URL.parse(location, url);
  if (!next) return null;
  next.hash = "";
  return next.href;
}

const isReadable = ({ status, headers }: OutboundResponse): boolean =>
  status === 200 && (headers["content-encoding"] ?? "identity") === "identity";

/** A site that can't be reached is no mistake of ours. */
function withoutAnswer(error: unknown): null {
  if (error instanceof OutboundError) return null;
  throw error;
}
