interface EarlyAnswer {
  readonly answer: Promise<Response>;
  readonly askedAt: number;
  content: unknown;
}

declare global {
  /**
   * Answers to what the page itself asked for, by request. `null` once the application has asked, so that nothing is
   * answered twice. Global, since the page's own script and the application are bundled apart.
   */
  var kurzEarlyAnswers: Map<string, EarlyAnswer | null> | undefined;
}

export const ACCOUNT_HEADER = "kurz-account";

// A script that took longer to arrive asks again.
const KEPT_MS = 10_000;

const keyOf = (url: string, accountId: string | null): string => `${accountId ?? ""} ${url}`;

function answers(): Map<string, EarlyAnswer | null> {
  globalThis.kurzEarlyAnswers ??= new Map();
  return globalThis.kurzEarlyAnswers;
}

/** Asks while the application is still being loaded. Returns what is answered, unless that is a refusal. */
export async function askEarly(url: string, accountId: string | null): Promise<unknown> {
  const key = keyOf(url, accountId);
  if (answers().has(key)) return undefined;
  const answer = fetch(url, { headers: accountId === null ? {} : { [ACCOUNT_HEADER]: accountId } });
  const early: EarlyAnswer = { answer, askedAt: performance.now(), content: undefined };
  answers().set(key, early);
  const response = await answer;
  if (response.ok) early.content = await response.clone().json();
  return early.content;
}

/** For the application: the answer, if it was asked for. The next time, it has to ask itself. */
export const takeEarly = (url: string, accountId: string | null): Promise<Response> | undefined =>
  take(url, accountId)?.answer;

/** The same for what is already read; what is still on its way stays to be taken. */
export function takeEarlyContent(url: string, accountId: string | null): unknown {
  const hasContent = answers().get(keyOf(url, accountId))?.content !== undefined;
  return hasContent ? take(url, accountId)?.content : undefined;
}

function take(url: string, accountId: string | null): EarlyAnswer | undefined {
  const key = keyOf(url, accountId);
  const early = answers().get(key);
  answers().set(key, null);
  return early && performance.now() - early.askedAt < KEPT_MS ? early : undefined;
}
