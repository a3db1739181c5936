import { getIdentity, type Identity } from "#contract/identity.ts";
import type { Scope } from "#contract/scopes.ts";
import type { Records } from "#engines/records/records.ts";
import { RATE_WINDOW_SECONDS } from "#http/rate-limit.ts";
import { type Route, route } from "#http/route.ts";
import type { Caller } from "#kernel/caller.ts";
import { toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import { describePlan } from "#plans/describe-plan.ts";
import { effectiveRateLimit } from "#plans/effective-rate-limit.ts";

interface Deps {
  readonly records: Records;
  /** The deployment's limit; `0` switches limits off. */
  readonly rateLimitPerMinute: number;
  readonly isDemo: boolean;
}

export const identityRoutes = (deps: Deps): readonly Route[] => [
  route(getIdentity, (caller) => describeCaller(deps, caller)),
];

/** No names or addresses of people: a machine credential needs none. */
async function describeCaller(
  { records, rateLimitPerMinute, isDemo }: Deps,
  { actor, accountNo, plan }: Caller,
): Promise<Identity> {
  const row = await records.read
    .selectFrom("tokens")
    .innerJoin("accounts", "accounts.no", "tokens.account_no")
    .selectAll("tokens")
    .select([
      "accounts.id as account_id",
      "accounts.name as account_name",
      "accounts.created_at as account_created_at",
      "accounts.active_links",
      "accounts.webhook_endpoints",
    ])
    .where("tokens.id", "=", actor.replace(/^token:/, ""))
    .where("tokens.account_no", "=", accountNo)
    .executeTakeFirstOrThrow();
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
