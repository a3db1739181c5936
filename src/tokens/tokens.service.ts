import { getAccount } from "#accounts/get-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Scope } from "#contract/scopes.ts";
import type { TokenCreate } from "#contract/tokens.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import { missingScope } from "#http/authorize.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { type Clock, toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { assertLive } from "./authenticate.ts";
import { type NewToken, newToken } from "./token-format.ts";
import {
  countLiveTokens,
  deleteSomeEnded,
  findTokenWithAccount,
  insertToken,
  listExpiredUnnoted,
  listTokens,
  markRevoked,
  revokeUnused,
} from "./tokens.store.ts";

interface Deps {
  readonly records: Records;
  readonly plans: PlanCatalogue;
  readonly clock: Clock;
}

export interface TokenRequest {
  readonly accountId: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** `null`: never. */
  readonly expiresInMs: number | null;
  readonly rateLimit: number | null;
  readonly actor: string;
  /** Random by default. */
  readonly token?: NewToken;
}

/** The only time the token's value is known. */
interface CreatedToken {
  readonly id: string;
  readonly token: string;
  readonly expires_at: string | null;
}

export interface TokenSummary {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly rate_limit: number | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

interface NewTokenRow extends Omit<TokenRequest, "expiresInMs"> {
  readonly at: number;
  readonly expiresAt: number | null;
  /** Its own limit by default. */
  readonly countsWith?: string;
}

export function tokenService({ records, plans, clock }: Deps) {
  /** Only the hash of its value is stored. */
  const insert = async (
    tx: Sql,
    { at, expiresAt, token = newToken(), countsWith, ...request }: NewTokenRow,
  ): Promise<CreatedToken> => {
    const { accountId, name, scopes, rateLimit, actor } = request;
    const account = await getAccount(tx, accountId);
    const limit = plans.of(account.plan_id).api_tokens;
    if (limit !== null && (await countLiveTokens(tx, account.no, at)) >= limit) {
      throw new ApiError("plan_limit", `The plan allows ${limit} live tokens.`, { feature: "api_tokens", limit });
    }
    const { id, hash, value } = token;
    await insertToken(tx, {
      ...{ id, account_no: account.no, name, hash, scopes: JSON.stringify(scopes), rate_limit: rateLimit },
      ...{ created_at: at, expires_at: expiresAt, revoked_at: null, last_used_at: null },
      counts_with: countsWith ?? null,
    });
    const entry = { at, accountNo: account.no, actor, action: "token.created", subject: id };
    await appendAudit(tx, { ...entry, details: { name, scopes } });
    return { id, token: value, expires_at: toTimestampOrNull(expiresAt) };
  };

  return {
    create({ expiresInMs, ...request }: TokenRequest): Promise<CreatedToken> {
      const at = clock();
      const expiresAt = expiresInMs === null ? null : at + expiresInMs;
      return records.write((tx) => insert(tx, { ...request, at, expiresAt }));
    },

    /** With no more rights than the token that asks for it. */
    createByToken(caller: Caller, { name, scopes, expires_at }: TokenCreate): Promise<CreatedToken> {
      const { accountId, actor } = caller;
      const at = clock();
      return records.write(async (tx) => {
        const own = await findTokenWithAccount(tx, actor.replace(/^token:/, ""));
        if (own?.account_id !== accountId) throw new Error(`${actor} is no token of the account`);
        // It may have been revoked since the request was authorized.
        assertLive(own, at);
        const held = JSON.parse(own.scopes) as Scope[];
        const missing = scopes.find((scope) => !held.includes(scope));
        if (missing) throw missingScope(missing, held);
        const expiresAt = expires_at ? Date.parse(expires_at) : own.expires_at;
        assertExpiry(expiresAt, { at, latest: own.expires_at });
        return insert(tx, {
          accountId,
          actor,
          name,
          scopes: [...new Set(scopes)],
          rateLimit: own.rate_limit,
          // Otherwise each new token would allow as many requests again.
          countsWith: own.counts_with ?? own.id,
          at,
          expiresAt,
        });
      });
    },

    async list(accountId: string | null): Promise<TokenSummary[]> {
      const rows = await listTokens(records.read, accountId);
      return rows.map((row) => ({
        id: row.id,
        account_id: row.account_id,
        name: row.name,
        scopes: JSON.parse(row.scopes) as Scope[],
        rate_limit: row.rate_limit,
        created_at: toTimestamp(row.created_at),
        expires_at: toTimestampOrNull(row.expires_at),
        revoked_at: toTimestampOrNull(row.revoked_at),
        last_used_at: toTimestampOrNull(row.last_used_at),
      }));
    },

    countLive: (accountNo: number): Promise<number> => countLiveTokens(records.read, accountNo, clock()),

    /**
     * Takes effect with the next request. Returns false if the account (`null`: any account) has no live token with
     * this id.
     */
    revoke(id: string, { actor, accountNo }: { actor: string; accountNo: number | null }): Promise<boolean> {
      const at = clock();
      return records.write(async (tx) => {
        const revoked = await markRevoked(tx, { id, accountNo, at });
        if (!revoked) return false;
        await appendAudit(tx, { at, accountNo: revoked.account_no, actor, action: "token.revoked", subject: id });
        return true;
      });
    },

    /** Part of housekeeping: tokens expire by themselves, so the audit entry is written afterwards. */
    async noteExpired(): Promise<void> {
      const at = clock();
      await records.write(async (tx) => {
        for (const { id, account_no } of await listExpiredUnnoted(tx, at)) {
          await appendAudit(tx, { at, accountNo: account_no, actor: "system", action: "token.expired", subject: id });
        }
      });
    },

    /** Part of housekeeping. */
    async revokeUnused(): Promise<void> {
      const at = clock();
      await records.write(async (tx) => {
        for (const { id, account_no } of await revokeUnused(tx, at)) {
          const entry = { at, accountNo: account_no, actor: "system", action: "token.revoked", subject: id };
          await appendAudit(tx, { ...entry, details: { reason: "unused" } });
        }
      });
    },

    /** Part of housekeeping, once it is in the audit log how they ended. Returns how many it deleted. */
    deleteEnded: (most: number): Promise<number> => records.write((tx) => deleteSomeEnded(tx, clock(), most)),
  };
}
export type TokenService = ReturnType<typeof tokenService>;

function assertExpiry(
  expiresAt: number | null,
  { at, latest }: { readonly at: number; readonly latest: number | null },
): void {
  if (expiresAt === null) return;
  if (expiresAt <= at) throw validationFailed([bodyProblem("expires_at", "in_past", "Must be in the future.")]);
  if (latest === null || expiresAt <= latest) return;
  const message = `Your own token ends at ${toTimestamp(latest)}. Choose that, or an earlier time.`;
  throw validationFailed([bodyProblem("expires_at", "out_of_range", message)]);
}
