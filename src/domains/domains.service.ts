import { appendAudit } from "#audit/audit.service.ts";
import type { Domain, DomainCreate, DomainPage, DomainPatch } from "#contract/domain-record.ts";
import type { DomainQuery } from "#contract/domains.ts";
import type { LookUpTxt } from "#engines/outbound/txt-lookup.ts";
import { appendChange } from "#engines/records/changes.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { IdempotencyKey, Replayed } from "#http/route.ts";
import { once } from "#idempotency/idempotency.service.ts";
import { ApiError, notFound, validationFailed } from "#kernel/api-error.ts";
import { asciiName } from "#kernel/ascii-name.ts";
import { randomBase62 } from "#kernel/base62.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { HOSTS_KEY } from "#kernel/link-key.ts";
import { assertVersion, type IfMatch } from "#kernel/precondition.ts";
import type { Outbox } from "#outbox/outbox.service.ts";
import { releaseDomain, reserveDomain } from "#plans/plan-limits.ts";
import { causeOfLoss, lossReasons, lossRemedies } from "#shared/lost-domain.ts";
import { stillBlocked } from "./blocked-urls.ts";
import { domainChecks, type LostDomain } from "./domain-checks.ts";
import { changedOf, isSame, newUrlsOf, noFields, patchFields, type UrlRules } from "./domain-fields.ts";
import { checkDomainName, recordNameOf } from "./domain-name.ts";
import { toDomain } from "./domain-record.ts";
import {
  clearDefault,
  countDeletedLinks,
  type DomainRow,
  deleteDomain,
  findDomain,
  findDomainByName,
  findDomainPage,
  insertDomain,
  listDueChecks,
  updateDomain,
} from "./domains.store.ts";
import { findOtherHolder } from "./operator-domains.store.ts";
import { heldText, type OtherHolder } from "./other-holder.ts";
import { assertLeadsElsewhere } from "./self-reference.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
  readonly outbox: Outbox;
  /** The instance's own, maybe with a port. */
  readonly ownHosts: readonly string[];
  readonly urls: UrlRules;
  readonly lookUpTxt: LookUpTxt;
}

interface AddOptions {
  readonly isVerified: boolean;
  /** Even if another account holds the name: its links there stop working. */
  readonly takesOver?: boolean;
}

export interface AddedDomain extends Domain {
  /** The account that held the name until now. */
  readonly taken_from: OtherHolder | null;
}

const TOKEN_LENGTH = 26;
const CURSOR = /^dom_[0-9a-hjkmnp-tv-z]{26}$/;
const RECHECK_MS = 86_400_000;

export function domainService({ records, clock, outbox, ownHosts, urls, lookUpTxt }: Deps) {
  let onLost: (domain: LostDomain) => void = () => {};
  const checks = domainChecks({ outbox, onLost: (domain) => onLost(domain) });

  const insert = async (tx: Sql, caller: Caller, { name: input, ...rest }: DomainCreate): Promise<DomainRow> => {
    const checked = checkDomainName(input, ownHosts);
    if (!checked.ok) throw validationFailed([checked.problem]);
    const { name } = checked;
    const fields = patchFields(noFields, rest, urls);
    const at = clock();
    if (await findDomainByName(tx, caller.accountNo, name)) {
      throw new ApiError("domain_exists", `The account already has the domain ${name}.`, { domain: name });
    }
    await assertLeadsElsewhere(tx, caller, newUrlsOf(noFields, fields), { ownHosts, added: name });
    await reserveDomain(tx, caller);
    const row = await insertDomain(tx, {
      id: newId("dom"),
      account_no: caller.accountNo,
      name,
      status: "pending",
      token: randomBase62(TOKEN_LENGTH),
      last_checked_at: null,
      last_problem: null,
      verified_at: null,
      verified_by: null,
      missing_since: null,
      ...fields,
      version: 1,
      created_at: at,
      updated_at: at,
    });
    await audit(tx, caller, row, "domain.created", { name }, at);
    return row;
  };

  const verify = async (
    caller: Pick<Caller, "accountNo" | "actor">,
    id: string,
    ifMatch: IfMatch,
    isAsked: boolean,
  ) => {
    const { name } = await getRow(records.read, caller, id);
    const answer = await lookUpTxt(recordNameOf(name));
    return records.write(async (tx) => {
      const row = await getRow(tx, caller, id);
      assertVersion(ifMatch, row.version);
      return checks.apply(tx, { row, answer, at: clock(), actor: caller.actor, isAsked });
    });
  };

  return {
    /** `next` is called after another account has taken over a domain. */
    listenForLost(next: (domain: LostDomain) => void): void {
      onLost = next;
    },

    async list(caller: Caller, { limit, cursor, name, status }: DomainQuery): Promise<DomainPage> {
      if (cursor !== undefined && !CURSOR.test(cursor)) throw invalidCursor();
      const rows = await findDomainPage(records.read, {
        accountNo: caller.accountNo,
        after: cursor,
        name: name === undefined ? undefined : asciiName(name),
        status,
        most: limit + 1,
      });
      const page = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      return { data: page.map(toDomain), has_more: hasMore, next_cursor: hasMore ? (page.at(-1)?.id ?? null) : null };
    },

    create: (caller: Caller, body: DomainCreate, idempotency: IdempotencyKey | null): Promise<Domain | Replayed> =>
      records.write((tx) =>
        once(tx, caller.accountNo, idempotency, clock(), async () => toDomain(await insert(tx, caller, body))),
      ),

    /** For the operator: verified without a proof. A claim that exists is used. */
    add: (caller: Caller, name: string, { isVerified, takesOver = false }: AddOptions): Promise<AddedDomain> =>
      records.write(async (tx) => {
        const known = isVerified ? await findDomainByName(tx, caller.accountNo, asciiName(name)) : undefined;
        const row = known ?? (await insert(tx, caller, { name }));
        if (!isVerified || row.status === "verified") return { ...toDomain(row), taken_from: null };
        const holder = await findOtherHolder(tx, row);
        if (holder && !takesOver) throw new Error(heldText(row.name, holder));
        const verified = await checks.vouch(tx, { row, at: clock(), actor: caller.actor });
        return { ...toDomain(verified), taken_from: holder ?? null };
      }),

    async get(caller: Caller, id: string): Promise<Domain> {
      return toDomain(await getRow(records.read, caller, id));
    },

    update: (caller: Caller, id: string, patch: DomainPatch, ifMatch: IfMatch): Promise<Domain> =>
      records.write(async (tx) => {
        const at = clock();
        const row = await getRow(tx, caller, id);
        assertVersion(ifMatch, row.version);
        const { is_default: wanted = row.is_default === 1, ...rest } = patch;
        const isDefault = wanted ? 1 : 0;
        const fields = patchFields(row, rest, urls);
        if (isDefault === row.is_default && isSame(row, fields)) return toDomain(row);
        await assertLeadsElsewhere(tx, caller, newUrlsOf(row, fields), { ownHosts });
        if (isDefault === 1 && row.status !== "verified") throw notVerified(row.name, row);
        if (isDefault === 1 && row.is_default === 0) await clearDefault(tx, caller.accountNo, at);
        const changed = await updateDomain(tx, row, {
          ...fields,
          blocked_urls: stillBlocked(row, fields),
          is_default: isDefault,
          version: row.version + 1,
          updated_at: at,
        });
        const names = [...(isDefault === row.is_default ? [] : ["is_default"]), ...changedOf(row, fields)];
        await audit(tx, caller, row, "domain.updated", { fields: names }, at);
        if (row.status === "verified") await appendChange(tx, HOSTS_KEY, at);
        return toDomain(changed);
      }),

    /** Its name is free at once; its tombstones stay those of a namespace that nobody has. */
    delete: (caller: Caller, id: string, ifMatch: IfMatch): Promise<undefined> =>
      records.write(async (tx) => {
        const at = clock();
        const row = await getRow(tx, caller, id);
        assertVersion(ifMatch, row.version);
        await assertUnused(tx, row);
        await deleteDomain(tx, row.no);
        await releaseDomain(tx, caller.accountNo);
        await audit(tx, caller, row, "domain.deleted", { name: row.name }, at);
        if (row.status === "verified") await appendChange(tx, HOSTS_KEY, at);
        return undefined;
      }),

    async verify(caller: Caller, id: string, ifMatch: IfMatch): Promise<Domain> {
      return toDomain(await verify(caller, id, ifMatch, true));
    },

    /** Looks up those verified names again that are due, the longest ago first; returns how many there were. */
    async recheck(most: number, mayGoOn: () => boolean): Promise<number> {
      const due = await listDueChecks(records.read, clock() - RECHECK_MS, most);
      for (const { account_no, id } of due) {
        if (!mayGoOn()) return 0;
        await verify({ accountNo: account_no, actor: "system" }, id, null, false).catch(ignoreRemoved);
      }
      return due.length;
    },
  };
}
export type DomainService = ReturnType<typeof domainService>;

type Claim = Pick<DomainRow, "name" | "status" | "last_problem">;

async function assertUnused(tx: Sql, { no, link_count }: DomainRow): Promise<void> {
  if (link_count > 0) {
    const links = link_count === 1 ? "1 link. Delete it" : `${link_count} links. Delete them`;
    throw new ApiError("domain_in_use", `The domain has ${links} first.`, { links: link_count });
  }
  const deleted = await countDeletedLinks(tx, no);
  if (deleted === 0) return;
  const links = deleted === 1 ? "1 link in the trash. Delete it" : `${deleted} links in the trash. Delete them`;
  throw new ApiError("domain_in_use", `The domain has ${links} for good first.`, { links: deleted });
}

/** Without a claim, the account doesn't have the domain, no matter who else does. */
export const notVerified = (domain: string, claim?: Claim): ApiError<"domain_not_verified"> =>
  new ApiError("domain_not_verified", whyNotVerified(domain, claim), { domain });

function whyNotVerified(domain: string, claim: Claim | undefined): string {
  if (claim?.status === "pending") return `${domain} isn't verified yet. Add its TXT record and verify it first.`;
  if (claim?.status === "lost") {
    const cause = causeOfLoss(claim.name, claim.last_problem) ?? "dns";
    return `${lossReasons(domain)[cause]} ${lossRemedies(claim.name)[cause]}`;
  }
  return `${JSON.stringify(domain)} isn't one of the account's verified domains.`;
}

/** Another account's domain looks like a missing one. */
async function getRow(sql: Sql, { accountNo }: Pick<Caller, "accountNo">, id: string): Promise<DomainRow> {
  const row = await findDomain(sql, accountNo, id);
  if (!row) throw notFound();
  return row;
}

/** It may have been removed between the list and the look-up. */
function ignoreRemoved(error: unknown): void {
  if (!(error instanceof ApiError && error.code === "not_found")) throw error;
}

const audit = (
  tx: Sql,
  { accountNo, actor }: Caller,
  { id }: DomainRow,
  action: string,
  details: Readonly<Record<string, unknown>>,
  at: number,
): Promise<void> => appendAudit(tx, { at, accountNo, actor, action, subject: id, details });

const invalidCursor = () =>
  validationFailed([
    {
      location: "query",
      field: "cursor",
      code: "invalid_cursor",
      message: "Use the previous page's next_cursor.",
    },
  ]);
