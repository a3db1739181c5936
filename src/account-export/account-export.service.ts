import { randomBytes } from "node:crypto";
import { getAccount } from "#accounts/get-account.ts";
import { appendAudit } from "#audit/audit.service.ts";
import {
  ARCHIVE_MEDIA_TYPE,
  type ArchivedDomain,
  type ArchivedEndpoint,
  type ArchivedUtmTemplate,
} from "#contract/account-archive.ts";
import type { Domain } from "#contract/domain-record.ts";
import { Download } from "#contract/endpoint.ts";
import type { DomainService } from "#domains/domains.service.ts";
import type { ClicksEngine } from "#engines/clicks/clicks-engine.ts";
import type { Records } from "#engines/records/records.ts";
import type { Caller } from "#kernel/caller.ts";
import { type Clock, toTimestamp } from "#kernel/clock.ts";
import type { ShortOrigin } from "#links/link-record.ts";
import type { LinkService } from "#links/links.service.ts";
import type { TagService } from "#links/tags.service.ts";
import type { UtmTemplateService } from "#links/utm-templates.service.ts";
import type { EndpointService } from "#webhooks/endpoints.service.ts";
import { archivedCounts } from "./archived-counts.ts";
import { type ArchiveRecords, writeArchive } from "./write-archive.ts";

interface Deps {
  readonly records: Records;
  readonly clicks: Pick<ClicksEngine, "exportCounts">;
  readonly clock: Clock;
  readonly origin: ShortOrigin;
  readonly links: Pick<LinkService, "archived" | "idsOf">;
  readonly tags: Pick<TagService, "colors">;
  readonly domains: Pick<DomainService, "list">;
  readonly utmTemplates: Pick<UtmTemplateService, "list">;
  readonly endpoints: Pick<EndpointService, "list">;
}

interface ExportOptions {
  /** No scope of a token covers endpoints, and their URLs may be secrets by themselves. */
  readonly withEndpoints: boolean;
}

const DOMAINS_PAGE = 100;
const SALT_BYTES = 8;

/** Everything of an account in one file, without secrets: see `contract/account-archive.ts`. */
export function accountExport(deps: Deps) {
  const { records, clock, origin, clicks, links, tags, utmTemplates, endpoints } = deps;

  const recordsOf = (caller: Caller, { withEndpoints }: ExportOptions): ArchiveRecords => {
    const { accountNo } = caller;
    return {
      domains: () => archivedDomains(deps, caller),
      tags: () => tags.colors(accountNo),
      "utm-templates": async function* () {
        yield (await utmTemplates.list(caller)).map(({ name, utm }): ArchivedUtmTemplate => ({ name, utm }));
      },
      ...(withEndpoints && {
        endpoints: async function* () {
          yield (await endpoints.list(caller)).map(
            ({ url, description, events, enabled }): ArchivedEndpoint => ({
              url,
              description,
              events: [...events],
              enabled,
            }),
          );
        },
      }),
      links: () => links.archived(accountNo),
      counts: () =>
        archivedCounts(
          // Nobody who has two archives, or one and the clicks, can tell which visitors are the same.
          clicks.exportCounts({ accountNo, salt: randomBytes(SALT_BYTES).readBigUInt64BE() }),
          (numbers) => links.idsOf(accountNo, numbers),
        ),
    };
  };

  return {
    /** The archive, made as it is read: it takes the memory of a page or two, however large the account is. */
    async download(caller: Caller, options: ExportOptions): Promise<Download<typeof ARCHIVE_MEDIA_TYPE>> {
      const { accountNo, accountId, actor } = caller;
      const { name } = await getAccount(records.read, accountId);
      const at = clock();
      await records.write((tx) =>
        appendAudit(tx, { at, accountNo, actor, action: "account.exported", subject: accountId }),
      );
      const manifest = { created_at: toTimestamp(at), account: { id: accountId, name }, domain: origin.domain };
      return new Download({
        mediaType: ARCHIVE_MEDIA_TYPE,
        fileName: `kurz-export-${accountId}-${toTimestamp(at).slice(0, 10)}.tar.gz`,
        parts: writeArchive({ manifest, records: recordsOf(caller, options) }),
      });
    },
  };
}
export type AccountExport = ReturnType<typeof accountExport>;

async function* archivedDomains({ domains }: Deps, caller: Caller): AsyncGenerator<readonly ArchivedDomain[]> {
  for (let cursor: string | undefined; ; ) {
    const page = await domains.list(caller, { limit: DOMAINS_PAGE, ...(cursor !== undefined && { cursor }) });
    yield page.data.map(toArchivedDomain);
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

const toArchivedDomain = (domain: Domain): ArchivedDomain => ({
  name: domain.name,
  status: domain.status,
  is_default: domain.is_default,
  root_redirect_url: domain.root_redirect_url,
  not_found_redirect_url: domain.not_found_redirect_url,
  expired_redirect_url: domain.expired_redirect_url,
  app_links: domain.app_links,
});
