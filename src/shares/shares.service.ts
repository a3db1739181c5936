import { appendLinkAudit } from "#audit/link-audit.ts";
import type { FieldError } from "#contract/errors.ts";
import { SHARE_TOKEN_LENGTH, SHARES_PER_LINK_MAX } from "#contract/limits.ts";
import type { Share, ShareCreate, SharePage, ShareQuery } from "#contract/shares.ts";
import type { Records } from "#engines/records/records.ts";
import type { Sql } from "#engines/records/schema.ts";
import type { IdempotencyKey, Replayed } from "#http/route.ts";
import { once } from "#idempotency/idempotency.service.ts";
import { bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import { randomBase62 } from "#kernel/base62.ts";
import type { Caller } from "#kernel/caller.ts";
import type { Clock } from "#kernel/clock.ts";
import { newId } from "#kernel/ids.ts";
import { slugOf } from "#kernel/link-key.ts";
import { queueOf } from "#links/account-queue.ts";
import { checkExpiry } from "#links/check-link-body.ts";
import { assertNone } from "#links/link-checks.ts";
import { hashLinkPassword } from "#links/link-password.ts";
import { getLiveRow, readRow } from "#links/link-rows.ts";
import { withSecretFingerprint } from "#links/secret-fingerprint.ts";
import { findTimeZone } from "#shared/time-zone.ts";
import { toShare } from "./share-record.ts";
import {
  countSharesOfLink,
  deleteShare,
  insertShare,
  listSharesOfAccount,
  listSharesOfLink,
  type ShareRow,
} from "./shares.store.ts";

interface Deps {
  readonly records: Records;
  readonly clock: Clock;
  readonly secretKey: string;
  readonly baseUrl: string;
}

const CURSOR = /^shr_[0-9a-hjkmnp-tv-z]{26}$/;

/** What the owners of links do with their shared reports. */
export function shareService({ records, clock, secretKey, baseUrl }: Deps) {
  const shown = (row: ShareRow, linkId: string): Share => toShare(row, { linkId, baseUrl, now: clock() });

  const insert = async (
    tx: Sql,
    caller: Caller,
    { linkId, body, passwordHash }: { linkId: string; body: ShareCreate; passwordHash: string | null },
  ): Promise<Share> => {
    const at = clock();
    const expiresAt = body.expires_at == null ? null : Date.parse(body.expires_at);
    assertNone(checkExpiry(expiresAt, at));
    const link = await getLiveRow(tx, caller, linkId, "share");
    if ((await countSharesOfLink(tx, link.no)) >= SHARES_PER_LINK_MAX) {
      const message = `A link can have ${SHARES_PER_LINK_MAX} shared reports. Revoke one first.`;
      throw validationFailed([bodyProblem("", "out_of_range", message)]);
    }
    const row: ShareRow = {
      id: newId("shr"),
      link_no: link.no,
      account_no: caller.accountNo,
      token: randomBase62(SHARE_TOKEN_LENGTH),
      password_hash: passwordHash,
      min_visitors: body.min_visitors,
      timezone: body.timezone,
      expires_at: expiresAt,
      created_at: at,
    };
    await insertShare(tx, row);
    const audited = { id: linkId, slug: slugOf(link.key) };
    await appendLinkAudit(tx, caller, { at, action: "link.shared", link: audited });
    return shown(row, linkId);
  };

  return {
    async create(
      caller: Caller,
      linkId: string,
      body: ShareCreate,
      idempotency: IdempotencyKey | null,
    ): Promise<Share | Replayed> {
      const passwordHash = body.password == null ? null : await hashLinkPassword(body.password);
      const key = idempotency && keyFor(idempotency, linkId, body, secretKey);
      return records.write(
        (tx) => once(tx, caller.accountNo, key, clock(), () => insert(tx, caller, { linkId, body, passwordHash })),
        queueOf(caller),
      );
    },

    async ofLink(caller: Caller, linkId: string): Promise<Share[]> {
      const { no } = await readRow(records, caller, linkId);
      return (await listSharesOfLink(records.read, no)).map((row) => shown(row, linkId));
    },

    async list({ accountNo }: Caller, { limit, cursor }: ShareQuery): Promise<SharePage> {
      if (cursor !== undefined && !CURSOR.test(cursor)) throw invalidCursor();
      const rows = await listSharesOfAccount(records.read, { accountNo, after: cursor, most: limit + 1 });
      const page = rows.slice(0, limit);
      const hasMore = rows.length > limit;
      return {
        data: page.map(({ link_id, ...row }) => shown(row, link_id)),
        has_more: hasMore,
        next_cursor: hasMore ? (page.at(-1)?.id ?? null) : null,
      };
    },

    async revoke(caller: Caller, id: string): Promise<void> {
      await records.write(async (tx) => {
        const link = await deleteShare(tx, caller.accountNo, id);
        if (!link) throw notFound();
        const audited = { id: link.id, slug: slugOf(link.key) };
        await appendLinkAudit(tx, caller, { at: clock(), action: "link.unshared", link: audited });
      }, queueOf(caller));
    },

    /** Rules beyond the contract, of the raw body. */
    findProblems({ timezone, expires_at }: Readonly<Record<string, unknown>>): FieldError[] {
      const problems = typeof expires_at === "string" ? checkExpiry(Date.parse(expires_at), clock()) : [];
      if (typeof timezone !== "string" || findTimeZone(timezone)) return problems;
      const message = "Must be an IANA time zone name, such as Europe/Berlin.";
      return [...problems, bodyProblem("timezone", "invalid_timezone", message)];
    },
  };
}
export type ShareService = ReturnType<typeof shareService>;

/** The same body for another link is another request. */
function keyFor(key: IdempotencyKey, linkId: string, { password }: ShareCreate, secretKey: string): IdempotencyKey {
  const ofLink = { ...key, fingerprint: `${linkId} ${key.fingerprint}` };
  return password == null ? ofLink : withSecretFingerprint(ofLink, secretKey);
}

const invalidCursor = () =>
  validationFailed([
    {
      location: "query",
      field: "cursor",
      code: "invalid_cursor",
      message: "Use the previous page's next_cursor.",
    },
  ]);
