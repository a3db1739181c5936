import type { CountedDimension } from "#engines/clicks/click-counts.ts";
import { type ImportItem, type ReadContext, SourceProblem } from "#imports/import-source.ts";
import { NumberSet } from "#imports/number-set.ts";
import { countedWords, referrerOf, valuesOfUserAgent, withoutUnknown } from "./counted-values.ts";
import { copyOf } from "./dump-text.ts";
import { isWanted, momentIn, zoneOf } from "./source-times.ts";
import { type DumpRow, readSqlDump } from "./sql-dump.ts";
import { SumsByKey } from "./sums-by-key.ts";
import { VisitCounts } from "./visit-counts.ts";
import { sourceIdOf, toLink } from "./yourls-link.ts";

const DIMENSIONS: readonly CountedDimension[] = ["country", "device", "browser", "os", "referrer"];

// Tables are known by their columns, since everyone chooses a prefix.
const isLink = ({ values }: DumpRow): boolean => "keyword" in values && "url" in values && "clicks" in values;
const isClick = ({ values }: DumpRow): boolean => "shorturl" in values && "click_time" in values;

/** A dump has its tables in any order, so it is read three times: for what is known of clicks, for links, for clicks. */
export async function* readYourlsDump(context: ReadContext, file: string): AsyncGenerator<ImportItem> {
  const { signal } = context;
  const zone = zoneOf(context);
  const host = URL.parse(context.url)?.hostname ?? "";
  const logged = new SumsByKey();
  let hasLinks = false;
  for await (const row of readSqlDump(file, signal)) {
    hasLinks ||= isLink(row);
    const keyword = row.values.shorturl;
    if (keyword && isClick(row) && momentIn(row.values.click_time, zone) !== null) {
      logged.add(keyword, 1);
    }
  }
  if (!hasLinks) throw new SourceProblem("The file has no links of YOURLS. It must be a SQL dump of its database.");
  const keywords = new NumberSet();
  for await (const row of readSqlDump(file, signal)) {
    if (!isLink(row)) continue;
    const { keyword, url, title, timestamp, clicks } = row.values;
    if (!keyword || !url) {
      yield { type: "unreadable", where: `keyword "${keyword ?? ""}"`, why: "It has no keyword or no destination." };
      continue;
    }
    keywords.add(keyword);
    const facts = { keyword, host, createdAt: momentIn(timestamp, zone), logged: logged.of(keyword) };
    const total = context.withClicks ? Number(clicks) || 0 : 0;
    yield { type: "link", link: toLink({ url, title, clicks: total }, facts) };
  }
  if (context.withClicks) yield* readClicks(context, file, { host, keywords });
}

async function* readClicks(
  context: ReadContext,
  file: string,
  { host, keywords }: { readonly host: string; readonly keywords: Pick<NumberSet, "has"> },
): AsyncGenerator<ImportItem> {
  const zone = zoneOf(context);
  const visits = new VisitCounts(DIMENSIONS);
  for await (const row of readSqlDump(file, context.signal)) {
    const { click_time: time, shorturl: keyword, referrer, user_agent: userAgent, country_code: country } = row.values;
    const atMs = isClick(row) ? momentIn(time, zone) : null;
    if (atMs === null || !keyword || !keywords.has(keyword) || !isWanted(context, atMs)) continue;
    const { isBot, values } = valuesOfUserAgent(userAgent ?? "");
    const known = {
      ...values,
      country: countedWords.country(country ?? ""),
      referrer: referrerOf(referrer ?? "", host),
    };
    const visit = { sourceId: copyOf(sourceIdOf(host, keyword)), atMs, bot: isBot, values: withoutUnknown(known) };
    for (const counts of visits.add(visit)) yield { type: "counts", counts };
  }
  for (const counts of visits.end()) yield { type: "counts", counts };
}
