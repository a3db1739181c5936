import { formatExact, plural } from "#console/ui/format.ts";
import type { Granularity } from "#contract/analytics.ts";

interface GranularityTexts {
  readonly name: string;
  readonly by: string;
  /** Names the chart. */
  readonly chart: (metric: string) => string;
}

const granularities: Readonly<Record<Granularity, GranularityTexts>> = {
  hour: { name: "Hour", by: "By hour", chart: (metric) => `${metric} by hour` },
  day: { name: "Day", by: "By day", chart: (metric) => `${metric} by day` },
  week: { name: "Week", by: "By week", chart: (metric) => `${metric} by week` },
  month: { name: "Month", by: "By month", chart: (metric) => `${metric} by month` },
};

/** What may explain a rise or a fall; the title of a link doesn't. */
const actions: Readonly<Record<string, string>> = {
  "link.created": "Created",
  "link.paused": "Paused",
  "link.resumed": "Resumed",
  "link.archived": "Archived",
  "link.unarchived": "Unarchived",
  "link.deleted": "Deleted",
  "link.restored": "Restored",
};
const changes: Readonly<Record<string, string>> = {
  destination_url: "Destination changed",
  rules: "Rules changed",
  expires_at: "Expiry changed",
  starts_at: "Start changed",
  max_clicks: "Click limit changed",
  password: "Password changed",
  slug: "Slug changed",
  domain: "Domain changed",
};

export const reportTexts = {
  title: "Reports",
  links: "Links",
  share: "Share report",
  copyShortLink: "Copy the short address",
  loading: "Loading the report",
  options: {
    title: "Options",
    groupBy: "Group by",
    automatic: "Automatic",
    timeZone: "Time zone",
    noTimeZone: "Unknown time zone.",
    countBots: "Count bots as clicks",
    export: "Export chart",
    csv: "CSV",
    csvLabel: "Download chart as CSV",
    png: "PNG",
    pngLabel: "Download chart as PNG",
    print: "Print",
  },
  range: {
    title: "Time range",
    titleOf: (range: string) => `Time range: ${range}`,
    names: {
      today: "Today",
      "24h": "Last 24 hours",
      "7d": "Last 7 days",
      "30d": "Last 30 days",
      "90d": "Last 90 days",
      "1y": "Last 52 weeks",
      mtd: "This month",
      last_month: "Last month",
      ytd: "This year",
      all: "All time",
    },
    custom: "Custom range",
    choose: "Custom range…",
    since: (start: string) => `Since ${start}`,
  },
  metrics: {
    clicks: { label: "Clicks", hint: "Visits by people.", count: (value: number) => plural(value, "click") },
    unique_visitors: {
      label: "Unique visitors",
      hint: "Distinct visitors per UTC day, added up.",
      count: (value: number) => plural(value, "visitor"),
    },
    qr_scans: {
      label: "QR scans",
      hint: "Clicks that came from a QR code.",
      count: (value: number) => plural(value, "scan"),
    },
    bot_hits: {
      label: "Bots",
      hint: "Bots, previews and prefetches. They aren’t counted as clicks.",
      count: (value: number) => plural(value, "bot"),
    },
  },
  botsAsClicks: "Bots, previews and prefetches, counted as clicks.",
  total: {
    unknown: "Unknown: visitors can’t be told apart where clicks are old or imported",
    withHint: (count: string, hint: string) => `${count}. ${hint}`,
    before: (count: string, period: string) => `${count} in the period before (${period})`,
    noChange: "no change",
    up: "up by",
    down: "down by",
  },
  noComparison: "The period before couldn’t be loaded, so there’s nothing to compare with.",
  noEvents: "The link’s changes couldn’t be loaded.",
  granularities,
  series: {
    unknown: "unknown",
    soFar: (count: string) => `${count} so far`,
    asChart: "Show as chart",
    asTable: "Show as table",
    table: "Figures over time",
  },
  dates: {
    weekOf: (day: string) => `Week of ${day}`,
    from: (name: string, day: string) => `${name}, from ${day}`,
    until: (name: string, time: string) => `${name}, until ${time}`,
  },
  events: { actions, changes },
  picture: {
    title: (report: string, metric: string) => `${report}: ${metric.toLowerCase()}`,
    note: (period: string, timezone: string) => `${period} (${timezone})`,
    noteWithBefore: (period: string, timezone: string, before: string) => `${period} (${timezone}), gray: ${before}`,
    unsupported: "This browser can’t draw pictures.",
    failed: "The picture couldn’t be created.",
  },
  filters: {
    title: "Filters",
    remove: (dimension: string, value: string) => `Remove the filter ${dimension} ${value}`,
    clearAll: "Clear all",
    /** With the names of the API, as in the address. */
    clear: (names: string) => `Clear ${names}`,
  },
  empty: {
    title: "No clicks in this period",
    noMatch: "Nothing matches all of the filters.",
    note: "Once someone opens a short link, you’ll see where they came from and what they used.",
    clearFilters: "Clear all filters",
    showAllTime: "Show all time",
  },
  live: {
    title: "Latest clicks",
    connected: "Live",
    connecting: "Connecting",
    withCount: (state: string, count: string) => `${state} · ${count}`,
    label: (state: string, clicks: number) => `${state}: ${plural(clicks, "click")} since this page was opened`,
    none: "Clicks appear here as they happen.",
    paused: "Live updates are paused. Reconnecting…",
    browserOn: (browser: string, os: string) => `${browser} on ${os}`,
    unknown: "No details",
  },
  cards: {
    titles: {
      sources: "Sources",
      campaigns: "Campaigns",
      locations: "Locations",
      devices: "Devices",
      rules: "Rules",
      links: "Links",
    },
    nothing: "Nothing in this period",
    others: "Others",
    onlyRare: "No value has enough visitors to be listed",
    showAll: "Show all",
    /** Begins with what the button shows. */
    showAllOf: (label: string) => `Show all ${label.toLowerCase()}`,
    details: "Details",
    detailsOf: (label: string) => `Details: ${label}`,
    search: "Search",
    searchIn: (label: string) => `Search ${label.toLowerCase()}`,
    csv: "CSV",
    more: (clicks: string) => `${clicks} more clicks have other values.`,
    row: (name: string, clicks: number) => `${name}: ${plural(clicks, "click")}`,
    rowWithVisitors: (name: string, clicks: number, visitors: number) =>
      `${name}: ${plural(clicks, "click")}, ${plural(visitors, "visitor")}`,
    /** Heads the clicks of the period before. */
    headBefore: "Before",
    headChange: "Change",
    before: (clicks: string) => `${clicks} before`,
    /** Said in place of a dash. */
    beforeUnknown: (first: number) => `not among the first ${formatExact(first)} before`,
    reportOf: (link: string) => `Report of ${link}`,
    reportOfLink: "Report of this link",
  },
  map: {
    title: "Map of clicks by country",
    loading: "Loading the map",
    country: (name: string, clicks: number, share: string) => `${name}: ${plural(clicks, "click")} (${share})`,
    fewer: "Fewer",
    more: "More clicks",
  },
  week: {
    title: "Busiest times",
    loading: "Loading the busiest times",
    grid: "Clicks by weekday and hour",
    hour: (day: string, from: string, to: string, clicks: number) =>
      `${day}, ${from} – ${to}: ${plural(clicks, "click")}`,
    busiest: (hour: string) => `Busiest: ${hour}`,
    withoutHour: (clicks: number) => `Not included, because only the day is known: ${plural(clicks, "click")}`,
  },
  split: {
    title: (rule: string) => `Split “${rule}”`,
    unknown:
      "Visitors of part of this period can’t be told apart, because its clicks are old or imported. Choose a later one to compare shares.",
    share: "Share",
    planned: "Planned",
    visitors: "Visitors",
    clicks: "Clicks",
    verdicts: {
      "too-few": "Too early to tell",
      "as-planned": "As planned",
      doubtful: "Slightly off",
      off: "Not as planned",
    },
    noVisitors: "None of these destinations had visitors in this period.",
    tooFew: (visitors: number, needed: number) =>
      `${plural(visitors, "visitor")} so far. It takes about ${formatExact(needed)} to tell a real difference from chance.`,
    compared: (name: string, share: string, visitors: number, planned: string) =>
      `“${name}” got ${share} of ${plural(visitors, "visitor")}; ${planned} was planned.`,
    small: "A difference this small can easily be chance.",
    often: (splits: number, of: number) =>
      `Chance alone makes a difference this large in about ${formatExact(splits)} of ${formatExact(of)} splits.`,
    seldom: (splits: number, of: number) =>
      `Chance alone makes a difference this large in only about ${formatExact(splits)} of ${formatExact(of)} splits.`,
    hardlyEver: (of: number) =>
      `Chance alone makes a difference this large in fewer than 1 of ${formatExact(of)} splits.`,
    doubtful: "See if it stays with more visitors.",
    off: "If you changed the weights or destinations, choose a period after that.",
  },
};
