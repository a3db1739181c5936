import type { Endpoint } from "#contract/endpoint.ts";
import type { Scope } from "#contract/scopes.ts";
import type { RateWindows } from "#engines/coordination/rate-windows.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import type { Exchange } from "./exchange.ts";
import { rateHeaders, rateLimited } from "./rate-limit.ts";

/** Who sent a request, as its token tells. */
export interface Authenticated {
  readonly caller: Caller;
  readonly tokenId: string;
  readonly scopes: readonly Scope[];
  readonly suspended: boolean;
  /** Requests per minute; `null` where there is no limit. */
  readonly rateLimit: number | null;
}

/** Steps 4 to 7 of the processing order: tells who is calling, or refuses. */
export type Admit<C> = (endpoint: Endpoint, request: Request, exchange: Exchange) => Promise<C>;

export interface TokenAdmissionOptions {
  readonly authenticate: (authorization: string | null, clientAddress: string) => Promise<Authenticated>;
  readonly rateWindows: RateWindows;
  readonly clock: Clock;
}

/** By bearer token. The limit comes before the scope, so that probing for scopes costs quota. */
export const admitByToken =
  ({ authenticate, rateWindows, clock }: TokenAdmissionOptions): Admit<Caller> =>
  async (endpoint, request, exchange) => {
    const found = await authenticate(request.headers.get("authorization"), exchange.clientAddress);
    exchange.accountId = found.caller.accountId;
    exchange.tokenId = found.tokenId;
    if (found.rateLimit !== null) {
      const decision = rateWindows.take(found.tokenId, found.rateLimit);
      Object.assign(exchange.headers, rateHeaders(decision, clock()));
      if (!decision.allowed) throw rateLimited(decision);
    }
    if (found.suspended) throw new ApiError("account_suspended", "The account is suspended. Ask the operator.");
    if (!found.caller.plan.api_access) {
      throw new ApiError("plan_limit", `The plan "${found.caller.plan.id}" does not include API access.`, {
        feature: "api_access",
        limit: 0,
      });
    }
    if (endpoint.scope && !found.scopes.includes(endpoint.scope)) throw missingScope(endpoint.scope, found.scopes);
    return found.caller;
  };

const missingScope = (required: Scope, held: readonly Scope[]): ApiError =>
  new ApiError("insufficient_scope", `The token needs the scope ${required}.`, {
    required_scope: required,
    token_scopes: [...held],
  }).withHeader("www-authenticate", `Bearer error="insufficient_scope", scope="${required}"`);
