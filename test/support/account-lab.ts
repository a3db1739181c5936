import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { accountExport } from "#account-export/account-export.service.ts";
import { readArchive } from "#account-export/read-archive.ts";
import { countImports } from "#clicks/imported/count-imports.ts";
import type { ArchiveFile, ArchiveRecord } from "#contract/account-archive.ts";
import type { Import } from "#contract/console/imports.ts";
import type { Link } from "#contract/link-record.ts";
import type { Click } from "#engines/clicks/click-format.ts";
import { CLICKS_FILE, openDuckDbClicks } from "#engines/clicks/duckdb/duckdb-clicks.ts";
import { type ImportRequest, importService } from "#imports/imports.service.ts";
import { importSources } from "#imports/sources/all.ts";
import type { Caller } from "#kernel/caller.ts";
import { systemClock } from "#kernel/clock.ts";
import { linkService } from "#links/links.service.ts";
import { tagService } from "#links/tags.service.ts";
import { utmTemplateService } from "#links/utm-templates.service.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { webhookServices } from "#webhooks/webhooks.service.ts";
import { clickPart } from "./click-slices.ts";
import { plainClick } from "./plain-click.ts";
import { testDomainService } from "./test-domains.ts";
import { testLinkDeps } from "./test-links.ts";
import { newTestCaller, openTestRecords } from "./test-records.ts";
import { loopbackClient } from "./webhook-lab.ts";

/** Everything that an archive is made of, on real engines. */
export async function openAccountLab({ clock = systemClock, domain = "s.example" } = {}) {
  const directory = mkdtempSync(join(tmpdir(), "kurz-account-"));
  const store = openTestRecords();
  const { records } = store;
  const clicks = openDuckDbClicks({ path: join(directory, CLICKS_FILE), batchDirectory: directory });
  const origin = { scheme: "https:", domain };
  const linkDeps = testLinkDeps(records, clock, { origin });
  const links = linkService(linkDeps);
  const tags = tagService(linkDeps);
  const domains = testDomainService(records, clock);
  const utmTemplates = utmTemplateService({ records, clock });
  const { outbox, secretKey } = linkDeps;
  const plans = loadPlans(null, "unlimited");
  const { endpoints } = webhookServices({
    ...{ records, plans, clock, outbox, origin, secretKey },
    client: loopbackClient(),
    node: "local",
  });
  const exporter = accountExport({ records, clicks, clock, origin, links, tags, domains, utmTemplates, endpoints });
  const caller = await newTestCaller(records);
  let offset = 0;
  let tagPosition = 0;

  const numberOf = async (id: string): Promise<number> =>
    (await records.read.selectFrom("links").select("no").where("id", "=", id).executeTakeFirstOrThrow()).no;

  const imports = importService({
    ...{ records, clock, links, plans, node: "test", root: join(directory, "imports"), ownDomain: domain },
    counts: countImports({ records, clicks }),
    extras: { addColor: tags.addColor, addTemplate: (owner, template) => utmTemplates.add(owner, template) },
    client: loopbackClient(),
    sources: importSources,
  });

  const download = async (owner: Caller = caller): Promise<Buffer<ArrayBuffer>> => {
    const { parts } = await exporter.download(owner, { withEndpoints: true });
    return Buffer.concat(await Array.fromAsync(parts));
  };

  return {
    ...{ records, clicks, clock, origin, links, tags, domains, utmTemplates, endpoints, exporter, caller, directory },
    linkDeps,
    countImports: countImports({ records, clicks }),
    numberOf,
    download,

    /** The records of an archive, by file. */
    archived: async (owner: Caller = caller) => recordsOf(await download(owner)),

    async click(link: Link, given: readonly Partial<Click>[]): Promise<void> {
      const numbers = { account_no: caller.accountNo, link_no: await numberOf(link.id) };
      const made = given.map((click) => ({ ...plainClick, at_ms: Date.UTC(2026, 4, 1), ...click, ...numbers }));
      offset += 1;
      await clicks.ingest({ parts: [clickPart(made, "a", offset)] });
      const times = made.filter(({ bot }) => !bot).map(({ at_ms }) => at_ms);
      if (times.length === 0) return;
      const row = records.read.selectFrom("link_counts").selectAll().where("link_no", "=", numbers.link_no);
      const { click_count, last_clicked_at } = await row.executeTakeFirstOrThrow();
      const counted = { click_count: click_count + times.length, last_clicked_at: Math.max(last_clicked_at, ...times) };
      await records.write((tx) =>
        tx.updateTable("link_counts").set(counted).where("link_no", "=", numbers.link_no).execute(),
      );
    },

    /** An import into this account, from beginning to end. */
    async import(request: Partial<ImportRequest>): Promise<Import> {
      const { id } = await imports.begin(caller, { source: "kurz", ...request });
      return imports.finish(caller, id, new AbortController().signal);
    },

    async undo(id: string): Promise<Import> {
      await imports.undo(caller, id);
      return imports.finish(caller, id, new AbortController().signal);
    },

    /** As the server does it after each change. */
    async mirrorTags(): Promise<void> {
      const rows = await records.read.selectFrom("links").select(["no", "account_no", "tags"]).execute();
      const changes = rows.map(({ no, account_no, tags: names }) => ({
        ...{ accountNo: account_no, linkNo: no },
        tags: (JSON.parse(names) as string[]).map((name) => name.toLowerCase()),
      }));
      tagPosition += 1;
      await clicks.setLinkTags(changes, tagPosition);
    },

    async close(): Promise<void> {
      await clicks.close();
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
}
export type AccountLab = Awaited<ReturnType<typeof openAccountLab>>;

type AllRecords = { readonly [F in ArchiveFile]: ArchiveRecord<F>[] };

export async function recordsOf(archive: Uint8Array<ArrayBuffer>): Promise<AllRecords> {
  const found: Record<string, unknown[]> = {
    ...{ domains: [], tags: [], "utm-templates": [], endpoints: [], links: [], history: [], counts: [] },
  };
  for await (const { file, records } of readArchive(new Blob([archive]).stream())) {
    found[file] = [...(found[file] ?? []), ...records];
  }
  return found as unknown as AllRecords;
}
