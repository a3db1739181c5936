import { appendLinkAudit } from "#audit/link-audit.ts";
import type { Link, LinkCreate } from "#contract/link-record.ts";
import { domainForNewLink } from "#domains/link-domains.ts";
import { appendChange } from "#engines/records/changes.ts";
import { atOnce } from "#engines/records/statement.ts";
import type { Caller } from "#kernel/caller.ts";
import { reserveActiveLink } from "#plans/plan-limits.ts";
import { checkExpiry } from "./check-link-body.ts";
import { insertWithSlug } from "./insert-with-slug.ts";
import { assertNone, type LinkChecks } from "./link-checks.ts";
import type { LinkDeps, LinkWork } from "./link-deps.ts";
import { fieldsOfNew } from "./link-fields.ts";
import { hashLinkPassword } from "./link-password.ts";
import { toLink } from "./link-record.ts";
import { insertTags } from "./links.store.ts";

type Deps = Pick<LinkDeps, "origin" | "outbox">;

/** Checks a new link, and returns how to create it. */
export const linkCreation =
  ({ origin, outbox }: Deps, checks: LinkChecks) =>
  async (caller: Caller, body: LinkCreate): Promise<LinkWork<Link>> => {
    checks.assertRules(body);
    const fields = checks.assertValid(null, fieldsOfNew(body, checks.serialise));
    const passwordHash = body.password == null ? null : await hashLinkPassword(body.password);
    return async (tx, now) => {
      assertNone(checkExpiry(fields.expires_at, now));
      await checks.assertAllowed(tx, caller, null, fields);
      const domain = await domainForNewLink(tx, caller, body.domain, origin.domain);
      const row = await insertWithSlug(tx, caller, {
        slug: body.slug?.toLowerCase() ?? null,
        domain,
        fields,
        passwordHash,
        now,
        domainName: domain.name ?? origin.domain,
      });
      const link = toLink(row, origin, now);
      await atOnce(
        insertTags(tx, row.no, row.account_no, fields.tags),
        reserveActiveLink(tx, caller),
        appendChange(tx, row.key, now),
        appendLinkAudit(tx, caller, { at: now, action: "link.created", link }),
        outbox.append(tx, { type: "link.created", accountNo: row.account_no, at: now, data: () => ({ link }) }),
      );
      return link;
    };
  };
export type LinkCreation = ReturnType<typeof linkCreation>;
