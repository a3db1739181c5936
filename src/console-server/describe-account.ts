import type { Account } from "#contract/console/account.ts";
import type { QrDesign } from "#contract/qr.ts";
import type { Records } from "#engines/records/records.ts";
import { RATE_WINDOW_SECONDS } from "#http/rate-limit.ts";
import { notFound } from "#kernel/api-error.ts";
import { describePlan } from "#plans/describe-plan.ts";
import { effectiveRateLimit } from "#plans/effective-rate-limit.ts";
import type { TokenService } from "#tokens/tokens.service.ts";
import { findAccountWithUsage } from "./console.store.ts";
import type { ConsoleCaller } from "./console-caller.ts";

export interface AccountDeps {
  readonly records: Records;
  readonly tokens: TokenService;
  /** The deployment's limit; `0` turns limits off. */
  readonly rateLimitPerMinute: number;
}

export async function describeAccount(
  { records, tokens, rateLimitPerMinute }: AccountDeps,
  { accountNo, role, plan }: ConsoleCaller,
): Promise<Account> {
  const row = await findAccountWithUsage(records.read, accountNo);
  if (!row) throw notFound();
  const { id, features } = describePlan(plan, row);
  return {
    id: row.id,
    name: row.name,
    created_at: new Date(row.created_at).toISOString(),
    role,
    plan: {
      id,
      features: { ...features, api_tokens: { limit: plan.api_tokens, used: await tokens.countLive(accountNo) } },
    },
    rate_limit: { limit: effectiveRateLimit(null, plan, rateLimitPerMinute), window_seconds: RATE_WINDOW_SECONDS },
    has_logo: row.logo_hash !== null,
    qr_design: row.qr_design === null ? null : (JSON.parse(row.qr_design) as QrDesign),
    sso_required: row.sso_required === 1,
  };
}
