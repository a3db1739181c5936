import type { FieldError } from "#contract/errors.ts";
import type { LinkCreate } from "#contract/link-record.ts";
import { assertLeadsElsewhere, type NamedUrl } from "#domains/self-reference.ts";
import type { Sql } from "#engines/records/schema.ts";
import { ApiError, bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { assertRulesAllowed } from "#plans/plan-limits.ts";
import { checkPeriod, checkWholeLink } from "./check-link-body.ts";
import { checkRules } from "./check-rules.ts";
import { checkDestination } from "./destination.ts";
import type { LinkDeps } from "./link-deps.ts";
import { newDestinationsOf } from "./link-destinations.ts";
import { isSameRules, type LinkFields } from "./link-fields.ts";

export const assertNone = (problems: readonly FieldError[]): void => {
  if (problems.length > 0) throw validationFailed(problems);
};

/** What every way of setting a link's fields has to pass. */
export function linkChecks({ destinations, blockReasonOf }: Pick<LinkDeps, "destinations" | "blockReasonOf">) {
  const assertMayLeadTo = async (sql: Sql, caller: Caller, added: readonly NamedUrl[]): Promise<void> => {
    await assertLeadsElsewhere(sql, caller, added, { ownHosts: destinations.ownHosts });
    for (const { field, url } of added) {
      const reason = blockReasonOf(url);
      if (reason === null) continue;
      throw new ApiError("destination_blocked", `The destination is blocked (${reason}).`, { reason, field });
    }
  };

  return {
    serialise(field: string, url: string): string {
      const checked = checkDestination(url, destinations);
      if (!checked.ok) throw validationFailed([bodyProblem(field, checked.code, checked.message)]);
      return checked.url;
    },

    /** Before destinations are looked at, so that all problems with rules are named at once. */
    assertRules: ({ rules }: Pick<LinkCreate, "rules">): void => assertNone(checkRules(rules ?? [], destinations)),

    assertValid(before: LinkFields | null, fields: LinkFields): LinkFields {
      assertNone([...checkPeriod(before, fields), ...checkWholeLink(fields)]);
      return fields;
    },

    assertMayLeadTo,

    /** What depends on plan, domains and block list: only of what is new, so that the rest can always be changed. */
    async assertAllowed(sql: Sql, caller: Caller, before: LinkFields | null, fields: LinkFields): Promise<void> {
      const { rules = [] } = fields.settings;
      if (!isSameRules(before, fields)) assertRulesAllowed(caller, rules.length);
      await assertMayLeadTo(sql, caller, newDestinationsOf(before, fields));
    },
  };
}
export type LinkChecks = ReturnType<typeof linkChecks>;
