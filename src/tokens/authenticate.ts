import { timingSafeEqual } from "node:crypto";
import type { Scope } from "#contract/scopes.ts";
import type { RateWindows } from "#engines/coordination/rate-windows.ts";
import type { Records } from "#engines/records/records.ts";
import type { AuthenticatedToken } from "#http/authorize.ts";
import { rateLimited } from "#http/rate-limit.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Clock } from "#kernel/clock.ts";
import { networkOf } from "#kernel/network-address.ts";
import { effectiveRateLimit } from "#plans/effective-rate-limit.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { hashToken, parseTokenId } from "./token-format.ts";
import { findTokenWithAccount, type TokenWithAccount, touchToken, UNUSED_MS_MAX } from "./tokens.store.ts";

const TOUCH_EVERY_MS = 60_000;
const TOUCHED_MAX = 10_000;
const GUESSES_PER_MINUTE = 30;
// Compared with if an id is unknown, so that both cases take the same time.
const NO_HASH = hashToken("");

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly clock: Clock;
  /** Counts wrong tokens per client address. */
  readonly guesses: RateWindows;
  /** The deployment's limit, for plans and tokens without one; `0` turns off every limit. */
  readonly rateLimitPerMinute: number;
}

/** Finds the caller of an `Authorization` header. Nothing is cached: a revoked token fails on the next request. */
export function authenticator({ records, plans, clock, guesses, rateLimitPerMinute }: Deps) {
  const touched = new Map<string, number>();

  /** At most once a minute, and in the background: a full disk must not make a read fail. */
  const noteUse = (row: TokenWithAccount, now: number): void => {
    const last = touched.get(row.id) ?? row.last_used_at ?? 0;
    if (now - last < TOUCH_EVERY_MS) return;
    if (touched.size >= TOUCHED_MAX) touched.clear();
    touched.set(row.id, now);
    records.write((tx) => touchToken(tx, row.id, now)).catch(() => touched.delete(row.id));
  };

  return async (authorization: string | null, clientAddress: string): Promise<AuthenticatedToken> => {
    const value = readBearer(authorization);
    const id = parseTokenId(value);
    if (id === null) throw invalidToken();
    const row = await findTokenWithAccount(records.read, id);
    const matches = timingSafeEqual(Buffer.from(hashToken(value), "hex"), Buffer.from(row?.hash ?? NO_HASH, "hex"));
    if (!row || !matches) {
      const guess = await guesses.take(networkOf(clientAddress), GUESSES_PER_MINUTE);
      throw rateLimitPerMinute === 0 || guess.allowed ? invalidToken() : rateLimited(guess);
    }
    const now = clock();
    assertLive(row, now);
    noteUse(row, now);
    const plan = plans.of(row.plan_id);
    const scopes = JSON.parse(row.scopes) as Scope[];
    return {
      caller: {
        accountNo: row.account_no,
        accountId: row.account_id,
        plan,
        hasNoDomains: row.domains === 0,
        actor: `token:${id}`,
        scopes,
        via: "api",
      },
      tokenId: id,
      countedAs: row.counts_with ?? id,
      scopes,
      suspended: row.suspended_at !== null,
      rateLimit: effectiveRateLimit(row.rate_limit, plan, rateLimitPerMinute),
    };
  };
}

/** Only someone with the whole token learns that it was once valid. */
export function assertLive(row: TokenWithAccount, now: number): void {
  if (row.revoked_at !== null) throw refused("token_revoked", "The token was revoked.");
  if (row.expires_at !== null && row.expires_at <= now) throw refused("token_expired", "The token has expired.");
  // Housekeeping revokes such tokens, too, but a little later.
  if ((row.last_used_at ?? row.created_at) < now - UNUSED_MS_MAX) {
    throw refused("token_revoked", "The token was revoked because it was unused for a year.");
  }
}

function readBearer(authorization: string | null): string {
  if (authorization === null) {
    throw new ApiError("missing_token", "Send your API token as Authorization: Bearer <token>.").withHeader(
      "www-authenticate",
      'Bearer realm="api"',
    );
  }
  const value = /^bearer ([^ ]+)$/i.exec(authorization)?.[1];
  if (value === undefined) throw invalidToken();
  return value;
}

const refused = (code: "invalid_token" | "token_expired" | "token_revoked", message: string): ApiError =>
  new ApiError(code, message).withHeader("www-authenticate", 'Bearer realm="api", error="invalid_token"');

const invalidToken = (): ApiError =>
  refused("invalid_token", "The token is not valid. Send it as Authorization: Bearer <token>.");
