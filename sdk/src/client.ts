import { Account } from "./account.ts";
import { Analytics } from "./analytics.ts";
import { checkOptions } from "./check-options.ts";
import { Clicks } from "./clicks.ts";
import { Domains } from "./domains.ts";
import { type OperationId, type Operations, operations } from "./generated.ts";
import { Links } from "./links.ts";
import { Me } from "./me.ts";
import { buildRequest, type CallInput } from "./request.ts";
import { findRetryDelayMs, isAmbiguous, isRepeatable, sleep } from "./retry.ts";
import { type Answer, type Fetch, findDeleted, sendRequest } from "./send-request.ts";
import { Shares } from "./shares.ts";
import { Tags } from "./tags.ts";
import { Tokens } from "./tokens.ts";
import { Webhooks } from "./webhooks.ts";

export interface KurzOptions {
  /** The URL of your deployment, such as `https://s.example`. */
  readonly baseUrl: string;
  readonly token: string;
  readonly fetch?: Fetch | undefined;
  /** Timeout of one attempt. Defaults to 30 seconds. */
  readonly timeoutMs?: number | undefined;
  /** Maximum number of retries for calls that are safe to repeat. Defaults to 2. */
  readonly retriesMax?: number | undefined;
  readonly userAgent?: string | undefined;
  readonly sleep?: ((ms: number, signal: AbortSignal | undefined) => Promise<void>) | undefined;
  readonly random?: (() => number) | undefined;
}

export interface CallOptions {
  /** Aborts the call, including waits between attempts. */
  readonly signal?: AbortSignal | undefined;
}

export interface KurzResponse<Id extends OperationId> extends Answer {
  readonly data: Operations[Id]["output"];
}

type Arguments<Id extends OperationId> =
  Record<never, never> extends Operations[Id]["input"]
    ? [input?: Operations[Id]["input"] & CallOptions]
    : [input: Operations[Id]["input"] & CallOptions];

/** A client for one deployment and token. */
export class Kurz {
  readonly me: Me;
  readonly links: Links;
  readonly analytics: Analytics;
  readonly clicks: Clicks;
  readonly domains: Domains;
  readonly tags: Tags;
  readonly account: Account;
  readonly shares: Shares;
  readonly webhooks: Webhooks;
  readonly tokens: Tokens;
  readonly #options: KurzOptions;

  /** Throws a `TypeError` that names the option if one is missing or wrong. */
  constructor(options: KurzOptions) {
    this.#options = checkOptions(options);
    this.me = new Me(this);
    this.links = new Links(this);
    this.analytics = new Analytics(this);
    this.clicks = new Clicks(this);
    this.domains = new Domains(this);
    this.tags = new Tags(this);
    this.account = new Account(this);
    this.shares = new Shares(this);
    this.webhooks = new Webhooks(this);
    this.tokens = new Tokens(this);
  }

  /** Calls an operation by its id, and returns the response's status and headers along with its body. */
  async request<Id extends OperationId>(id: Id, ...[input]: Arguments<Id>): Promise<KurzResponse<Id>> {
    const { baseUrl, token, userAgent, timeoutMs = 30_000, retriesMax = 2 } = this.#options;
    const { signal, ...call }: CallInput & CallOptions = input ?? {};
    const route = operations[id];
    const { answer, textTypes } = route;
    const request = buildRequest(route, call, { baseUrl, token, userAgent });
    const repeatable = isRepeatable(route, request.ifMatch);
    const fetch: Fetch = this.#options.fetch ?? globalThis.fetch;
    let mayBeDone = false;
    for (let retries = 0; ; retries += 1) {
      try {
        // Responses aren't validated here; the contract tests verify their shape.
        return (await sendRequest(fetch, request, { answer, textTypes, timeoutMs, signal })) as KurzResponse<Id>;
      } catch (error) {
        const deleted = mayBeDone ? findDeleted(request, error) : undefined;
        if (deleted) return deleted as KurzResponse<Id>;
        const random = this.#options.random ?? Math.random;
        const delayMs = retries < retriesMax ? findRetryDelayMs({ error, repeatable, retries, random }) : undefined;
        if (delayMs === undefined) throw error;
        mayBeDone ||= isAmbiguous(error);
        await (this.#options.sleep ?? sleep)(delayMs, signal);
      }
    }
  }
}
