import { guardedClient } from "#engines/outbound/guarded-client.ts";
import { type OutboundClient, OutboundError, type OutboundResponse } from "#engines/outbound/outbound-client.ts";
import { ProviderFailure } from "./provider-failure.ts";

const TIMEOUT_MS = 10_000;
// Key sets and sign-in answers have a few kilobytes; groups can make them larger.
const ANSWER_BYTES_MAX = 1 << 20;
const EVERYWHERE = ["0.0.0.0/0", "::/0"];

/**
 * Calls the provider. The operator has named the issuer's host, so it may have a private address; other hosts that the
 * provider names must be public. Metadata services stay out of reach in any case.
 */
export function providerClient(issuer: string) {
  const { host, protocol } = new URL(issuer);
  const own = guardedClient({ allowCidrs: EVERYWHERE, allowInsecure: protocol === "http:" });
  const others = guardedClient({ allowCidrs: [], allowInsecure: false });
  const clientFor = (url: string): OutboundClient =>
    URL.canParse(url) && new URL(url).host === host && new URL(url).protocol === protocol ? own : others;

  const ask = async (url: string, call: (client: OutboundClient) => Promise<OutboundResponse>): Promise<Answer> => {
    try {
      const { status, body, isComplete } = await call(clientFor(url));
      if (!isComplete) throw incomplete(url, body);
      return { status, json: parse(body) };
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      throw new ProviderFailure(`${url}: ${error.message}`, { isAway: true, cause: error });
    }
  };
  const limits = { timeoutMs: TIMEOUT_MS, readBytesMax: ANSWER_BYTES_MAX };

  return {
    async getJson(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Json> {
      const { status, json } = await ask(url, (client) =>
        client.get({ ...limits, url, headers: { ...headers, accept: "application/json" } }),
      );
      if (status !== 200) throw new ProviderFailure(`${url} answered ${status}`, { isAway: status >= 500 });
      if (!isObject(json)) throw new ProviderFailure(`${url} didn't answer with a JSON object`);
      return json;
    },

    /** Whatever the status. */
    async postForm(url: string, form: URLSearchParams, headers: Readonly<Record<string, string>>): Promise<Answer> {
      const body = new TextEncoder().encode(form.toString());
      const answer = await ask(url, (client) => client.post({ ...limits, url, headers, body }));
      if (answer.status >= 500) throw new ProviderFailure(`${url} answered ${answer.status}`, { isAway: true });
      return answer;
    },
  };
}
export type ProviderClient = ReturnType<typeof providerClient>;

export type Json = Readonly<Record<string, unknown>>;

interface Answer {
  readonly status: number;
  /** `undefined` if the body isn't JSON. */
  readonly json: unknown;
}

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const incomplete = (url: string, { byteLength }: Uint8Array): ProviderFailure =>
  byteLength >= ANSWER_BYTES_MAX
    ? new ProviderFailure(`${url} answered with more than 1 MiB`)
    : new ProviderFailure(`${url}: the answer broke off, or took too long`, { isAway: true });

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}
