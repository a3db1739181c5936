import { addressGuard } from "./address-guard.ts";
import { type Attempt, startAttempt } from "./attempt.ts";
import { checkUrl, type Target, type UrlRules } from "./check-url.ts";
import type { OutboundClient, OutboundQuestion, OutboundResponse } from "./outbound-client.ts";
import { readResponse } from "./read-response.ts";
import { type ResolveHost, resolveHost } from "./resolve-host.ts";
import { type Exchange, sendRequest } from "./send-request.ts";
import { streamResponse } from "./stream-response.ts";

// More than any real service has; a DNS response over TCP could contain thousands.
const ADDRESSES_MAX = 64;

interface GuardedClientOptions {
  /** Non-public networks that may be reached. */
  readonly allowCidrs: readonly string[];
  /** Whether `http:` is allowed too. */
  readonly allowInsecure: boolean;
  readonly resolve?: ResolveHost;
  /** A PEM certificate to trust instead of the usual certificate authorities. */
  readonly ca?: string;
}

/** A client that only connects to allowed addresses, whatever a URL, name server or receiver says. */
export function guardedClient(options: GuardedClientOptions): OutboundClient {
  const { allowCidrs, allowInsecure, resolve = resolveHost, ca } = options;
  const isAllowedAddress = addressGuard(allowCidrs);
  const rules: UrlRules = { isAllowedAddress, allowInsecure, allowPrivateNames: allowCidrs.length > 0 };

  function getTarget(url: string, attempt: Attempt): Target {
    const check = checkUrl(url, rules);
    if ("target" in check) return check.target;
    throw attempt.failure(check.problem.code === "host_not_allowed" ? "blocked_address" : "invalid_url");
  }

  /** One blocked address blocks the host: a mix is an attack or a mistake. */
  async function getAddresses({ hostname, isLiteral }: Target, attempt: Attempt): Promise<readonly string[]> {
    if (isLiteral) return [hostname];
    const resolving = resolve(hostname).catch((error: unknown) => Promise.reject(attempt.failure("dns", error)));
    const addresses = await attempt.race(resolving);
    if (addresses.length === 0 || addresses.length > ADDRESSES_MAX) throw attempt.failure("dns");
    if (!addresses.every(isAllowedAddress)) throw attempt.failure("blocked_address");
    return addresses;
  }

  async function send<T>(request: OutboundQuestion, exchange: Exchange<T>): Promise<T> {
    const attempt = startAttempt(request);
    try {
      const target = getTarget(request.url, attempt);
      const addresses = await getAddresses(target, attempt);
      return await sendRequest({ ...exchange, request, target, addresses, isAllowedAddress, ca }, attempt);
    } finally {
      attempt.end();
    }
  }

  return {
    findUrlProblem(url) {
      const check = checkUrl(url, rules);
      return "problem" in check ? check.problem : null;
    },
    post: (request) =>
      send(request, { body: request.body, receive: reading(request, request.bodyMsMax ?? request.timeoutMs) }),
    get: (question) => send(question, { body: null, receive: reading(question, question.timeoutMs) }),
    download: (question) =>
      send(question, {
        body: null,
        receive: (arrived) => streamResponse({ ...arrived, ...question, signal: question.signal }),
      }),
  };
}

const reading =
  ({ readBytesMax }: OutboundQuestion, bodyMsMax: number): Exchange<OutboundResponse>["receive"] =>
  (arrived, attempt) =>
    readResponse({ ...arrived, readBytesMax, bodyMsMax }, attempt);
