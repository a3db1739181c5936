import { setTimeout as sleep } from "node:timers/promises";
import { cleanText } from "#clicks/clean-text.ts";
import { type OutboundClient, OutboundError, type OutboundResponse } from "#engines/outbound/outbound-client.ts";
import { type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { backoffMs } from "#kernel/backoff.ts";
import { retryAfterMs } from "./retry-after.ts";
import { ServiceRefusal } from "./service-refusal.ts";

export interface ServiceOptions {
  /** As people call it. */
  readonly name: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly requestsPerSecond: number;
  /** How many may come at once after a while without any. */
  readonly burst?: number;
  /** What else tells that there were too many requests. */
  readonly isLimit?: (response: OutboundResponse) => boolean;
}

export type Query = Readonly<Record<string, string | number>>;

/** Asks one service, one request after another. */
export interface Service {
  get(path: string, query?: Query): Promise<unknown>;
  post(path: string, form: Query): Promise<unknown>;
}

const TIMEOUT_MS = 60_000;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;
const FAILURES_MAX = 5;
const BACKOFF_MS_MAX = { limit: 5 * 60_000, broken: 30_000 } as const;
/** Limits per hour are the longest that are worth waiting for. */
const WAIT_MS_MAX = 70 * 60_000;
const PASSING: ReadonlySet<string> = new Set(["connect", "timeout", "reset", "protocol"]);
const MESSAGE_CHARACTERS_MAX = 200;

export function serviceClient(
  { client, signal, url, token, pause = waitFor }: Pick<ReadContext, "client" | "signal" | "url" | "token" | "pause">,
  options: ServiceOptions,
): Service {
  const { name, requestsPerSecond, burst = 1, isLimit = () => false } = options;
  const base = baseOf(client, url);
  const headers = {
    "User-Agent": "Mozilla/5.0 (compatible; KurzBot/1.0)",
    Accept: "application/json",
    "Accept-Encoding": "identity",
    ...options.headers,
  };
  const intervalMs = 1000 / requestsPerSecond;
  let usedUntilMs = 0;

  async function takeTurn(): Promise<void> {
    const now = performance.now();
    usedUntilMs = Math.max(now, usedUntilMs) + intervalMs;
    const waitMs = usedUntilMs - burst * intervalMs - now;
    if (waitMs >= 1) await pause(waitMs, signal);
  }

  const isOverLimit = (response: OutboundResponse): boolean =>
    (response.status === 429 || isLimit(response)) && !isLasting(response);

  /** Why it is worth another try; `null` if it isn't. */
  function passingOf(result: OutboundResponse | OutboundError): "limit" | "broken" | null {
    if (result instanceof OutboundError) return PASSING.has(result.problem) ? "broken" : null;
    if (isOverLimit(result)) return "limit";
    return isBroken(result) ? "broken" : null;
  }

  async function ask(send: () => Promise<OutboundResponse>): Promise<unknown> {
    const failures = { limit: 0, broken: 0 };
    let waitedMs = 0;
    for (;;) {
      signal.throwIfAborted();
      await takeTurn();
      const result = await send().catch(withoutAnswer);
      if (!(result instanceof OutboundError) && result.status === 200 && result.isComplete) return parse(result);
      const reason = passingOf(result);
      if (reason === null) throw problemOf(result);
      failures[reason] += 1;
      if (failures.broken >= FAILURES_MAX) throw problemOf(result);
      // Some ask to wait for no time at all, and would be asked forever.
      const pauseMs = Math.max(askedPauseMs(result), backoffMs(failures[reason], 1000, BACKOFF_MS_MAX[reason]));
      waitedMs += pauseMs;
      if (waitedMs > WAIT_MS_MAX) {
        throw new ServiceRefusal(429, `${name} allows no more requests for now. Try again in an hour.`);
      }
      await pause(pauseMs, signal);
    }
  }

  function parse({ body }: OutboundResponse): unknown {
    try {
      return JSON.parse(new TextDecoder().decode(body));
    } catch {
      throw new SourceProblem(`${name} didn't answer with JSON. Check the URL.`);
    }
  }

  function problemOf(result: OutboundResponse | OutboundError): SourceProblem {
    if (result instanceof OutboundError) return new SourceProblem(`${name} can't be reached. ${result.message}`);
    const { status, headers: answered, body, isComplete } = result;
    if (body.byteLength >= ANSWER_BYTES_MAX) return new SourceProblem(`An answer of ${name} is too large.`);
    if (!isComplete) return new SourceProblem(`An answer of ${name} broke off.`);
    if (status >= 300 && status < 400) {
      const host = URL.parse(answered.location ?? "", base)?.host;
      return new ServiceRefusal(status, `${name} redirects to ${host ?? "another address"}. Enter its final URL.`);
    }
    // Before it is cut, since a part of the token would be left otherwise.
    const said = cleanText(withoutToken(saidIn(body), token)).slice(0, MESSAGE_CHARACTERS_MAX);
    return new ServiceRefusal(status, `${name} answered with status ${status}${said && `: ${said}`}`);
  }

  const call = { headers, timeoutMs: TIMEOUT_MS, readBytesMax: ANSWER_BYTES_MAX, signal };
  return {
    get: (path, query = {}) => ask(() => client.get({ ...call, url: `${base}${path}${queryOf(query)}` })),
    post: (path, form) => ask(() => client.post(formRequest({ ...call, url: `${base}${path}` }, form))),
  };
}

const waitFor = (ms: number, signal: AbortSignal): Promise<unknown> => sleep(ms, undefined, { signal });

function baseOf(client: OutboundClient, url: string): string {
  const problem = client.findUrlProblem(url);
  if (problem) throw new SourceProblem(problem.message);
  return url.replace(/[?#].*$/, "").replace(/\/+$/, "");
}

const textsOf = (values: Query): [string, string][] =>
  Object.entries(values).map(([name, value]) => [name, String(value)]);

const queryOf = (query: Query): string =>
  Object.keys(query).length === 0 ? "" : `?${new URLSearchParams(textsOf(query))}`;

const formRequest = <C extends { readonly headers: Readonly<Record<string, string>> }>(call: C, form: Query) => ({
  ...call,
  headers: { ...call.headers, "Content-Type": "application/x-www-form-urlencoded" },
  body: new TextEncoder().encode(new URLSearchParams(textsOf(form)).toString()),
});

function withoutAnswer(error: unknown): OutboundError {
  if (error instanceof OutboundError) return error;
  throw error;
}

const askedPauseMs = (result: OutboundResponse | OutboundError): number =>
  result instanceof OutboundError ? 0 : (retryAfterMs(result.retryAfter, Date.now()) ?? 0);

const isBroken = ({ status, isComplete, body }: OutboundResponse): boolean =>
  status >= 500 || (!isComplete && body.byteLength < ANSWER_BYTES_MAX);

/** Neither a limit of none, which means that the plan doesn't have it, nor one of a month is worth waiting for. */
const isLasting = ({ headers, body }: OutboundResponse): boolean =>
  headers["x-ratelimit-limit"] === "0" || /MONTHLY/.test(saidIn(body));

/** What a service says about an error; each has its own place for it. Empty if it isn't JSON. */
function saidIn(body: Uint8Array): string {
  const text = new TextDecoder().decode(body.subarray(0, 10_000));
  const found = /"(?:message|detail|error|description)"\s*:\s*("(?:[^"\\]|\\.)*")/.exec(text)?.[1];
  if (found === undefined) return "";
  try {
    return String(JSON.parse(found));
  } catch {
    return "";
  }
}

const withoutToken = (text: string, token: string): string => (token === "" ? text : text.replaceAll(token, "…"));
