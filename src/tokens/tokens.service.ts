import { getAccount } from "#accounts/get-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import type { Scope } from "#contract/scopes.ts";
import type { Records } from "#engines/records/records.ts";
import { ApiError } from "#kernel/api-error.ts";
import { type Clock, toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import type { PlanCatalogue } from "#plans/plan-catalogue.ts";
import { type NewToken, newToken } from "./token-format.ts";
import {
  countLiveTokens,
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

export function tokenService({ records, plans, clock }: Deps) {
  return {
    /** The only time the token's value is known; only its hash is stored. */
    async create(request: TokenRequest): Promise<{ id: string; token: string; expires_at: string | null }> {
      const token = request.token ?? newToken();
      const at = clock();
      const expiresAt = request.expiresInMs === null ? null : at + request.expiresInMs;
      await records.write(async (tx) => {
        const account = await getAccount(tx, request.accountId);
        const limit = plans.of(account.plan_id).api_tokens;
        if (limit !== null && (await countLiveTokens(tx, account.no, at)) >= limit) {
          throw new ApiError("plan_limit", `The plan allows ${limit} live tokens.`, { feature: "api_tokens", limit });
        }
        await insertToken(tx, {
          id: token.id,
          account_no: account.no,
          name: request.name,
          hash: token.hash,
          scopes: JSON.stringify(request.scopes),
          rate_limit: request.rateLimit,
          created_at: at,
          expires_at: expiresAt,
          revoked_at: null,
          last_used_at: null,
        });
        await appendAudit(tx, {
          at,
          accountNo: account.no,
          actor: request.actor,
          action: "token.created",
          subject: token.id,
          details: { name: request.name, scopes: request.scopes },
        });
      });
      return { id: token.id, token: token.value, expires_at: toTimestampOrNull(expiresAt) };
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
  };
}
export type TokenService = ReturnType<typeof tokenService>;
