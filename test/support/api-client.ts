import { expect } from "bun:test";
import { join } from "node:path";
import { Kurz } from "#sdk/client.ts";
import type { Link, LinkCreate } from "#sdk/generated.ts";
import { KurzError, type KurzErrorCode } from "#sdk/kurz-error.ts";
import openApi from "../../docs/openapi.json" with { type: "json" };
import { stopAfterThisProcess } from "./kept-process.ts";
import { type KurzServer, startKurz } from "./kurz-server.ts";
import { findLeaks } from "./leaks.ts";
import { checkAnswer } from "./openapi-check.ts";
import { type Operator, operatorOf, type TokenOptions } from "./operator.ts";
import { askOnce } from "./raw-connection.ts";
import type { RawRequest } from "./raw-message.ts";

/** Plans small enough to fill in a test, plus a free one and one without any limit. */
export const smallPlans = { KURZ_PLANS_FILE: join(import.meta.dir, "plans.json") };

export interface Call {
  readonly method?: string;
  /** With its query. */
  readonly path: string;
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON, with its media type unless `headers` name another. */
  readonly json?: unknown;
  /** Sent unchanged. */
  readonly body?: string | Uint8Array<ArrayBuffer>;
}

export interface ApiAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** `undefined` if the body is empty. */
  readonly json: unknown;
}

export interface Caller {
  readonly account: string;
  readonly token: string;
  readonly kurz: Kurz;
}

export interface Api {
  readonly server: KurzServer;
  readonly operator: Operator;
  newCaller(options?: TokenOptions & { readonly plan?: string }): Promise<Caller>;
  /** The SDK for a token; it never retries. */
  sdk(token: string): Kurz;
  call(call: Call): Promise<ApiAnswer>;
  /** A request that no client would send. */
  raw(request: RawRequest & { readonly token?: string }): Promise<ApiAnswer>;
  /** Searches the server's files and log for the secrets that were used; stops it, unless it is shared. */
  stop(): Promise<void>;
}

const roomyLimit = { KURZ_RATE_LIMIT_PER_MINUTE: "100000" };

/** A new server whose every answer is checked against the published document. */
export async function startApi(env: Readonly<Record<string, string>> = {}): Promise<Api> {
  const server = await startKurz({ env: { ...roomyLimit, ...env } });
  return apiOf(server, () => server.stop());
}

/**
 * The same with the server, with small plans, that files share if they need no other settings. It keeps running when they
 * stop, and its log has what the others did, too. Links need slugs that no other of these files has.
 */
export async function joinApi(): Promise<Api> {
  const known = await shared?.catch(() => null);
  // One that failed or has ended is the problem of one file.
  const isUsable = known && known.supervisor.exitCode === null && known.supervisor.signalCode === null;
  if (!isUsable) shared = startShared();
  return apiOf(await (shared as Promise<KurzServer>), async () => {});
}

let shared: Promise<KurzServer> | undefined;

async function startShared(): Promise<KurzServer> {
  const server = await startKurz({ env: { ...roomyLimit, ...smallPlans } });
  stopAfterThisProcess(server.supervisor, server.dataDir);
  return server;
}

function apiOf(server: KurzServer, end: () => Promise<unknown>): Api {
  const operator = operatorOf(server);

  const sdk = (token: string): Kurz =>
    new Kurz({
      baseUrl: server.url,
      token,
      retriesMax: 0,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        const text = await response.clone().text();
        inspect(init.method ?? "GET", url.slice(server.url.length), toAnswer(response, text));
        return response;
      },
    });

  return {
    server,
    operator,
    sdk,
    async newCaller({ plan, ...options } = {}) {
      const account = await operator.newAccount(plan);
      const token = await operator.newToken(account, options);
      return { account, token, kurz: sdk(token) };
    },
    async call({ method = "GET", path, token, headers = {}, json, body }) {
      const sent = new Headers(headers);
      if (token !== undefined) sent.set("Authorization", `Bearer ${token}`);
      if (json !== undefined && !sent.has("Content-Type")) sent.set("Content-Type", "application/json");
      const content = json === undefined ? body : JSON.stringify(json);
      const response = await fetch(server.url + path, {
        method,
        headers: sent,
        redirect: "manual",
        ...(content !== undefined && { body: content }),
      });
      return inspect(method, path, toAnswer(response, await response.text()));
    },
    async raw({ token, ...request }) {
      const authorization = token === undefined ? [] : [["Authorization", `Bearer ${token}`] as const];
      const answer = await askOnce(server.port, {
        ...request,
        headers: [...authorization, ...(request.headers ?? [])],
      });
      return inspect(request.method ?? "GET", request.target, toAnswer(answer, answer.text));
    },
    async stop() {
      const leaks = findLeaks(operator.secrets, server.dataDir, server.output);
      await end();
      expect(leaks).toEqual([]);
    },
  };
}

function toAnswer({ status, headers }: Pick<Response, "status" | "headers">, text: string): ApiAnswer {
  const isJson = headers.get("Content-Type")?.startsWith("application/json") && text !== "";
  return { status, headers, text, json: isJson ? JSON.parse(text) : undefined };
}

/** Fails if an answer differs from the document. */
function inspect(method: string, path: string, answer: ApiAnswer): ApiAnswer {
  const { status, headers, text, json } = answer;
  // A body that isn't JSON is passed on as text, for the check to refuse.
  // An export of nothing is an empty text, not a missing body.
  const isText = method !== "HEAD" && headers.get("content-type")?.startsWith("application/x-ndjson") === true;
  const body = json ?? (text === "" && !isText ? undefined : text);
  const exchange = { method, path, status, headers, body };
  expect(checkAnswer(openApi, exchange)).toEqual([]);
  return answer;
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly request_id: string;
  readonly details?: unknown;
}

export const errorOf = ({ json }: ApiAnswer): ErrorBody => (json as { readonly error: ErrorBody }).error;

/** `status code`, as in `404 not_found`; the status alone for a success. */
export const outcomeOf = (answer: ApiAnswer): string =>
  answer.status < 400 || answer.json === undefined ? String(answer.status) : `${answer.status} ${errorOf(answer).code}`;

/** The fields of a `validation_failed`, each as `body utm.utm_source too_long`, sorted. */
export function fieldErrorsOf(error: { readonly code: string; readonly details?: unknown }): string[] {
  expect(error.code).toBe("validation_failed");
  const { errors } = error.details as {
    readonly errors: readonly { readonly location: string; readonly field: string; readonly code: string }[];
  };
  return errors.map(({ location, field, code }) => `${location} ${field} ${code}`).sort();
}

/** The error that the SDK throws. */
export async function errorFrom<C extends KurzErrorCode>(call: Promise<unknown>, code: C): Promise<KurzError<C>> {
  const error = await call.then(
    () => new Error("the call succeeded"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof KurzError)) throw error;
  expect(error.code).toBe(code);
  return error as KurzError<C>;
}

export const newLink = (kurz: Kurz, body: Partial<LinkCreate> = {}): Promise<Link> =>
  kurz.links.create({ destination_url: "https://example.com/", ...body });
