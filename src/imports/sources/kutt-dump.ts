import { z } from "zod";
import { type ImportedCounts, type ImportItem, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import type { TimeZone } from "#shared/time-zone.ts";
import { cutBy } from "./counted-values.ts";
import { copyOf } from "./dump-text.ts";
import { type KuttLink, toLink, whereOf } from "./kutt-link.ts";
import { isWanted, momentIn, zoneOf } from "./source-times.ts";
import { type DumpRow, readSqlDump } from "./sql-dump.ts";
import { SumsByKey } from "./sums-by-key.ts";

type Values = DumpRow["values"];

const HOUR_MS = 3_600_000;
const DOMAINS_MAX = 100_000;
/** What is longer is no host and no id, and would fill the memory. */
const KEPT_CHARACTERS_MAX = 500;
const browsers = ["chrome", "edge", "firefox", "ie", "opera", "other", "safari"];
const systems = ["android", "ios", "linux", "macos", "other", "windows"];

const Counts = z.record(z.string(), z.number());
const isTrue = (value: string | null | undefined): boolean => ["1", "t", "true"].includes(value ?? "");

/** A dump has its tables in any order, so it is read three times: for what belongs to links, for links, for clicks. */
export async function* readKuttDump(context: ReadContext, file: string): AsyncGenerator<ImportItem> {
  const { signal } = context;
  const zone = zoneOf(context);
  const domains = new Map<string, string>();
  const dated = new SumsByKey();
  let hasLinks = false;
  for await (const { table, values } of readSqlDump(file, signal)) {
    const { id, link_id: linkId } = values;
    hasLinks ||= isLink(table, values);
    if (table === "domains" && id) keep(domains, id, values.address ?? "");
    if (domains.size > DOMAINS_MAX) throw new SourceProblem("The file has more domains than fit into one import.");
    if (table === "visits" && linkId && momentIn(values.created_at, zone) !== null) {
      dated.add(linkId, Number(values.total));
    }
  }
  if (!hasLinks) throw new SourceProblem("The file has no links of Kutt. It must be a SQL dump of its database.");
  const sourceIds = new Map<string, string>();
  const places = new Map<string, string>();
  for await (const { table, values } of readSqlDump(file, signal)) {
    if (!isLink(table, values)) continue;
    const { id, uuid, address, target, domain_id: domainId, visit_count: visits } = values;
    if (!id || !uuid || !address || !target) {
      yield { type: "unreadable", where: `link ${id ?? ""}`, why: "It has no address or no target." };
      continue;
    }
    const host = domainId ? (domains.get(domainId) ?? "") : (URL.parse(context.url)?.hostname ?? "");
    keep(sourceIds, id, uuid);
    keep(places, id, whereOf(host, address));
    const facts = {
      sourceId: uuid,
      slug: address,
      host,
      target,
      undatedClicks: context.withClicks ? (Number(visits) || 0) - dated.of(id) : 0,
    };
    yield { type: "link", link: toLink({ ...facts, ...detailsOf(values, zone) }) };
  }
  if (!context.withClicks) return;
  for await (const { table, values } of readSqlDump(file, signal)) {
    const id = table === "visits" ? (values.link_id ?? "") : "";
    const sourceId = sourceIds.get(id);
    const counts = sourceId === undefined ? null : countsOf(sourceId, values, zone);
    const where = places.get(id) ?? "";
    if (counts && isWanted(context, counts.atMs)) yield { type: "counts", counts: { ...counts, where } };
  }
}

function keep(texts: Map<string, string>, key: string, text: string): void {
  if (Math.max(key.length, text.length) <= KEPT_CHARACTERS_MAX) texts.set(copyOf(key), copyOf(text));
}

const isLink = (table: string, values: Values): boolean => table === "links" && "visit_count" in values;

const detailsOf = (
  values: Values,
  zone: TimeZone,
): Pick<KuttLink, "description" | "isBanned" | "hadPassword" | "expiresAt" | "createdAt"> => ({
  description: values.description ?? null,
  isBanned: isTrue(values.banned),
  hadPassword: Boolean(values.password),
  expiresAt: momentIn(values.expire_in, zone),
  createdAt: momentIn(values.created_at, zone),
});

/** Kutt has one row per link and hour, with a count of each browser, system, country and referrer. */
function countsOf(sourceId: string, values: Values, zone: TimeZone): ImportedCounts | null {
  const clicks = Number(values.total);
  const at = momentIn(values.created_at, zone);
  if (at === null || !Number.isSafeInteger(clicks) || clicks <= 0) return null;
  const columns = (prefix: string, names: readonly string[]) =>
    names.map((name) => [name, Number(values[`${prefix}_${name}`])] as const);
  return {
    sourceId,
    atMs: Math.floor(at / HOUR_MS) * HOUR_MS,
    hasHour: true,
    bot: false,
    clicks,
    cuts: [
      ...cutBy("country", entriesOf(values.countries), clicks),
      ...cutBy("referrer", entriesOf(values.referrers), clicks),
      // It counts what it can't name as other, which reports call a device of its own.
      ...cutBy("browser", columns("br", browsers), clicks),
      ...cutBy("os", columns("os", systems), clicks),
    ],
  };
}

function entriesOf(json: string | null | undefined): [string, number][] {
  const counts = Counts.safeParse(parse(json ?? "{}"));
  return counts.success
    ? Object.entries(counts.data).map(([name, count]) => [name.replaceAll("[dot]", "."), count])
    : [];
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}
