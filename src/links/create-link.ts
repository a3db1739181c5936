import { appendLinkAudit } from "#audit/link-audit.ts";
import type { Link, LinkCreate } from "#contract/link-record.ts";
import { domainForNewLink } from "#domains/link-domains.ts";
import { appendChange } from "#engines/records/changes.ts";
import { atOnce } from "#engines/records/statement.ts";
import { OtherStatus } from "#http/route.ts";
import type { Caller } from "#kernel/caller.ts";
import { reserveActiveLink } from "#plans/plan-limits.ts";
import { checkExpiry } from "./check-link-body.ts";
import { type Arrival, appendMove, settleArrival } from "./imported-link.ts";
import { insertWithSlug } from "./insert-with-slug.ts";
import { assertNone, type LinkChecks } from "./link-checks.ts";
import type { LinkDeps, LinkWork } from "./link-deps.ts";
import { fieldsOfNew } from "./link-fields.ts";
import { hashLinkPassword } from "./link-password.ts";
import { toLink } from "./link-record.ts";
import { insertTags } from "./links.store.ts";
import { findSame, type Older } from "./same-link.ts";

type Deps = Pick<LinkDeps, "origin" | "outbox">;

/** The link that was created, or with another status the one that `find_existing` found. */
export type CreatedLink = Link | OtherStatus<Link>;

interface CreationOptions {
  /** Of the password, if it is hashed already. */
  readonly knownHash?: string | null;
  readonly arrival?: Arrival;
}

/** Checks a new link, and returns how to create it. Without a scan, `find_existing` looks at the newest links only. */
export const linkCreation =
  ({ origin, outbox }: Deps, checks: LinkChecks) =>
  async (
    caller: Caller,
    body: LinkCreate,
    { knownHash, arrival }: CreationOptions = {},
  ): Promise<(older?: Older) => LinkWork<CreatedLink>> => {
    checks.assertRules(body);
    const fields = checks.assertValid(null, fieldsOfNew(body, checks.serialise));
    const passwordHash = knownHash === undefined ? await hashOf(body) : knownHash;
    const slug = body.slug?.toLowerCase() ?? null;
    // A password can't be compared without trying it.
    const findsExisting = body.find_existing === true && passwordHash === null;
    return (older = null) =>
      async (tx, now) => {
        // A link that moves in may have expired at its source.
        if (!arrival) assertNone(checkExpiry(fields.expires_at, now));
        await checks.assertAllowed(tx, caller, null, fields);
        const domain = await domainForNewLink(tx, caller, body.domain, origin.domain);
        const wanted = { accountNo: caller.accountNo, domainNo: domain.no, slug, fields };
        const same = findsExisting ? await findSame(tx, wanted, older) : undefined;
        if (same) return new OtherStatus(200, toLink(same, origin, now));
        const inserted = await insertWithSlug(tx, caller, {
          slug,
          domain,
          fields,
          passwordHash,
          now,
          domainName: domain.name ?? origin.domain,
          arrival,
        });
        const row = arrival ? await settleArrival(tx, inserted, arrival, now) : inserted;
        const link = toLink(row, origin, now);
        const event = { type: "link.created", accountNo: row.account_no, at: now, data: () => ({ link }) } as const;
        await atOnce(
          insertTags(tx, row.no, row.account_no, fields.tags),
          row.state === "active" ? reserveActiveLink(tx, caller) : NOTHING,
          arrival ? appendMove(tx, caller, { row, link, past: arrival.past, at: now }) : NOTHING,
          appendChange(tx, row.key, now),
          appendLinkAudit(tx, caller, { at: now, action: "link.created", link }),
          arrival?.sendsEvents === false ? NOTHING : outbox.append(tx, event),
        );
        return link;
      };
  };

const NOTHING = Promise.resolve();

const hashOf = async ({ password }: LinkCreate): Promise<string | null> =>
  password == null ? null : hashLinkPassword(password);

export type LinkCreation = ReturnType<typeof linkCreation>;
