import type { Identity } from "#contract/identity.ts";
import type { Scope } from "#contract/scopes.ts";
import type { Records } from "#engines/records/records.ts";
import { RATE_WINDOW_SECONDS } from "#http/rate-limit.ts";
import type { Caller } from "#kernel/caller.ts";
import { toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import { describePlan } from "#plans/describe-plan.ts";
import { effectiveRateLimit } from "#plans/effective-rate-limit.ts";
import { getTokenWithAccount } from "./identity.store.ts";

export interface IdentityDeps {
  readonly records: Records;
  /** The deployment's limit; `0` turns limits off. */
  readonly rateLimitPerMinute: number;
  readonly isDemo: boolean;
}

/** Leaves out people's names and e-mail addresses: a program has no use for them. */
export async function describeCaller(
  { records, rateLimitPerMinute, isDemo }: IdentityDeps,
  { actor, accountNo, plan }: Caller,
): Promise<Identity> {
  const tokenId = actor.replace(/^token:/, "");
  const row = await getTokenWithAccount(records.read, { tokenId, accountNo });
  return {
    account: {
      id: row.account_id,
      name: row.account_name,
      created_at: new Date(row.account_created_at).toISOString(),
    },
    token: {
      id: row.id,
      name: row.name,
      scopes: JSON.parse(row.scopes) as Scope[],
      created_at: toTimestamp(row.created_at),
      expires_at: toTimestampOrNull(row.expires_at),
      last_used_at: toTimestampOrNull(row.last_used_at),
    },
    plan: describePlan(plan, row),
    rate_limit: {
      limit: effectiveRateLimit(row.rate_limit, plan, rateLimitPerMinute),
      window_seconds: RATE_WINDOW_SECONDS,
    },
    api_version: "v1",
    demo: isDemo,
  };
}
