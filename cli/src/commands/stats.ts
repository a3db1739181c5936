import type { AnalyticsReport, Link, LinksAnalyticsQuery } from "../../../sdk/src/generated.ts";
import { drawBar, drawChart } from "../chart.ts";
import { command } from "../command.ts";
import { findLink } from "../find-link.ts";
import { fitText, padEnd, padStart, widthOf } from "../text-width.ts";
import { styled, type View } from "../view.ts";
import { LINK } from "./link-options.ts";
import { shortAddress } from "./links.ts";

type Choice<K extends keyof LinksAnalyticsQuery> = NonNullable<LinksAnalyticsQuery[K]>;
type Granularity = Choice<"granularity">;

const intervals = [
  "24h",
  "7d",
  "30d",
  "90d",
  "1y",
  "mtd",
  "ytd",
  "all",
] as const satisfies readonly Choice<"interval">[];
const granularities = ["hour", "day", "week", "month"] as const satisfies readonly Granularity[];
const TOP = 5;
const COLUMNS_DEFAULT = 80;
const NAME_COLUMNS_MAX = 28;
// Apart from the figure before it, even if it is 100 %.
const PERCENT_COLUMNS = 7;

const stats = command({
  name: "stats",
  summary: "Show the clicks of a link, or of the whole account, with a chart",
  positionals: [{ ...LINK, help: `${LINK.help} All links if you leave it out.`, optional: true }],
  options: {
    interval: { value: "RANGE", help: "A range that ends now. 30d by default.", choices: intervals },
    from: { value: "TIME", help: "Start of the range: a date or a timestamp." },
    to: { value: "TIME", help: "End of the range (exclusive). Now by default." },
    by: { value: "UNIT", help: "One bar for each of these.", choices: granularities },
    timezone: { value: "ZONE", help: "Such as Europe/Berlin. This machine's by default." },
  },
  async run(context, input) {
    const kurz = context.kurz();
    const query = {
      // Checked against the choices.
      interval: input.text("interval") as LinksAnalyticsQuery["interval"],
      granularity: input.text("by") as LinksAnalyticsQuery["granularity"],
      from: input.text("from"),
      to: input.text("to"),
      timezone: input.text("timezone") ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
      group_by: ["country", "referrer"] as const,
      limit: TOP,
    };
    const [name] = input.positionals;
    if (name === undefined) return { link: null, report: await kurz.analytics.get(query) };
    const link = await findLink(kurz, name);
    return { link, report: await kurz.links.analytics(link.id, query) };
  },
  print: ({ link, report }, view) =>
    [
      title(link, view),
      periodLine(report, view),
      "",
      totalsLine(report),
      "",
      drawChart(
        report.series.map(({ start, clicks }) => ({ label: bucketLabel(start, report.period), value: clicks })),
        { columns: view.columns ?? COLUMNS_DEFAULT, hasBlocks: view.hasBlocks },
      ),
      ...topList("Countries", report, "country", view),
      ...topList("Referrers", report, "referrer", view),
    ].join("\n"),
});

const title = (link: Link | null, view: View): string => {
  const name = link === null ? "All links" : shortAddress(link);
  const more = link?.title ? `  ${link.title}` : "";
  return styled(name, "bold", view) + more;
};

/** The end is exclusive, so the last day is the one before. */
function periodLine({ period }: AnalyticsReport, view: View): string {
  const { from, to, timezone, granularity } = period;
  const day = (ms: number): string =>
    new Intl.DateTimeFormat("en-US", { timeZone: timezone, dateStyle: "medium" }).format(ms);
  const dash = view.hasBlocks ? "–" : "-";
  return styled(
    `${day(Date.parse(from))} ${dash} ${day(Date.parse(to) - 1)} by ${granularity}, ${timezone}`,
    "dim",
    view,
  );
}

const figure = (value: number): string => value.toLocaleString("en-US");
const counted = (value: number, one: string, many: string): string => `${figure(value)} ${value === 1 ? one : many}`;

const totalsLine = ({ totals: { clicks, unique_visitors, qr_scans, bot_hits } }: AnalyticsReport): string =>
  [
    counted(clicks, "click", "clicks"),
    unique_visitors === null ? "" : counted(unique_visitors, "visitor", "visitors"),
    qr_scans === 0 ? "" : counted(qr_scans, "QR scan", "QR scans"),
    bot_hits === 0 ? "" : counted(bot_hits, "bot", "bots"),
  ]
    .filter((text) => text !== "")
    .join("   ");

const labelStyles: Readonly<Record<Granularity, Intl.DateTimeFormatOptions>> = {
  hour: { hour: "2-digit", minute: "2-digit", hourCycle: "h23" },
  day: { month: "short", day: "numeric" },
  week: { month: "short", day: "numeric" },
  month: { month: "short", year: "numeric" },
};

const bucketLabel = (start: string, { timezone, granularity }: AnalyticsReport["period"]): string =>
  new Intl.DateTimeFormat("en-US", { timeZone: timezone, ...labelStyles[granularity] }).format(new Date(start));

const countries = new Intl.DisplayNames("en", { type: "region" });

function nameOf(key: string | null, dimension: "country" | "referrer"): string {
  if (key === null) return dimension === "country" ? "Unknown" : "Direct";
  return dimension === "country" && /^[A-Z]{2}$/.test(key) ? (countries.of(key) ?? key) : key;
}

function topList(
  head: string,
  { breakdowns, totals }: AnalyticsReport,
  dimension: "country" | "referrer",
  view: View,
): string[] {
  const items = breakdowns[dimension]?.items ?? [];
  if (items.length === 0) return [];
  const rows = items.map(({ key, clicks }) => ({ name: nameOf(key, dimension), clicks }));
  const names = Math.min(NAME_COLUMNS_MAX, Math.max(...rows.map(({ name }) => widthOf(name))));
  const figures = Math.max(...rows.map(({ clicks }) => figure(clicks).length));
  const room = (view.columns ?? COLUMNS_DEFAULT) - names - figures - PERCENT_COLUMNS - 6;
  const lines = rows.map(({ name, clicks }) => {
    const share = totals.clicks === 0 ? 0 : clicks / totals.clicks;
    const percent = padStart(`${Math.round(share * 100)} %`, PERCENT_COLUMNS);
    const bar = room > 0 ? `  ${drawBar(share, room, view.hasBlocks)}` : "";
    return `  ${padEnd(fitText(name, names, view), names)}  ${padStart(figure(clicks), figures)}${percent}${bar}`.trimEnd();
  });
  return ["", styled(head, "bold", view), ...lines];
}

export const statsCommands = [stats];
