interface Prefetched {
  readonly response: Promise<Response>;
  readonly requestedAt: number;
  content: unknown;
}

declare global {
  /** By account and URL. Global, since the page's own script and the application are bundled apart. */
  var kurzPrefetched: Map<string, Prefetched> | undefined;
}

export const ACCOUNT_HEADER = "kurz-account";

// If the application took longer to load, it asks again.
const KEPT_MS = 60_000;

const keyOf = (url: string, accountId: string | null): string => `${accountId ?? ""} ${url}`;

/**
 * Makes a request that the application will need. What is answered, unless it is a refusal, is passed to `then` before
 * anyone else has it, so that what is requested next is requested only once.
 */
export function prefetch(url: string, accountId: string | null, then = (_content: unknown) => {}): Promise<Response> {
  const prefetched: Prefetched = {
    response: fetch(url, { headers: accountId === null ? {} : { [ACCOUNT_HEADER]: accountId } }).then(
      async (response) => {
        if (response.ok) {
          prefetched.content = await response.clone().json();
          then(prefetched.content);
        }
        return response;
      },
    ),
    requestedAt: performance.now(),
    content: undefined,
  };
  globalThis.kurzPrefetched ??= new Map();
  globalThis.kurzPrefetched.set(keyOf(url, accountId), prefetched);
  // Whatever goes wrong is noticed and shown by the application, which takes the response or asks again.
  prefetched.response.catch(() => {});
  return prefetched.response;
}

/** The response, if it was requested and nobody else has taken it. */
export const takePrefetched = (url: string, accountId: string | null): Promise<Response> | undefined =>
  take(url, accountId)?.response;

/** What has already arrived, and when it was requested. What hasn't stays to be taken. */
export function takeArrived(
  url: string,
  accountId: string | null,
): { content: unknown; updatedAt: number } | undefined {
  if (globalThis.kurzPrefetched?.get(keyOf(url, accountId))?.content === undefined) return undefined;
  const prefetched = take(url, accountId);
  return (
    prefetched && {
      content: prefetched.content,
      updatedAt: Date.now() - (performance.now() - prefetched.requestedAt),
    }
  );
}

function take(url: string, accountId: string | null): Prefetched | undefined {
  const key = keyOf(url, accountId);
  const prefetched = globalThis.kurzPrefetched?.get(key);
  globalThis.kurzPrefetched?.delete(key);
  return prefetched && performance.now() - prefetched.requestedAt < KEPT_MS ? prefetched : undefined;
}

/** For when someone signs out. */
export function forgetPrefetched(): void {
  globalThis.kurzPrefetched = undefined;
}
