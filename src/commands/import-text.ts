import type { Import, ImportForecast, Outcomes } from "#contract/console/imports.ts";
import { showControls } from "#shared/printable-text.ts";

const figure = (count: number): string => count.toLocaleString("en-US");
const counted = (count: number, one: string, many = `${one}s`): string =>
  `${figure(count)} ${count === 1 ? one : many}`;

/** One line while it goes on. */
export function progressOf({ state, read, checked_links, links, counts, erased_links }: Import): string {
  if (state === "reading") return `reading: ${counted(read.links, "link")}, ${counted(read.counts, "count")}`;
  if (state === "checking") return `checking: ${figure(checked_links)} of ${counted(read.links, "link")}`;
  if (state === "undoing") return `erasing: ${counted(erased_links, "link")}`;
  if (links.done < read.links) return `creating: ${figure(links.done)} of ${counted(read.links, "link")}`;
  return `adding clicks: ${figure(counts.done)} of ${counted(read.counts, "count")}`;
}

/** Several lines about what it did, or would do, and what to run next. */
export function describeImport(shown: Import, program: string): string {
  const { id, source, state, problem, read, forecast, links, counts, erased_links } = shown;
  const lines = [`Import ${id} from ${source}: ${state}.`];
  if (problem !== null) lines.push(problem);
  if (problem?.includes('"destination_url"')) lines.push("Name the column with: --map destination_url=COLUMN");
  lines.push(`Read ${counted(read.links, "link")} and ${counted(read.counts, "count")} of clicks.`);
  if (read.unreadable > 0) lines.push(`${counted(read.unreadable, "row")} couldn't be read.`);
  if (links.done > 0) lines.push(`Created ${counted(links.created, "link")}.`, ...outcomeLines(links, "got"));
  else if (forecast && read.links === 0) lines.push("There are no links to import.");
  else if (forecast)
    lines.push(`Would create ${counted(forecast.created, "link")}.`, ...outcomeLines(forecast, "would get"));
  if (forecast) lines.push(...forecastLines(forecast));
  if (counts.clicks > 0) lines.push(`Added ${counted(counts.clicks, "click")}.`);
  if (counts.skipped > 0) lines.push(...skippedLines(counts.skipped, links.imported_before > 0));
  if (erased_links > 0) lines.push(`Erased ${counted(erased_links, "link")}.`);
  lines.push(...nextSteps(shown, program));
  return lines.map(showControls).join("\n");
}

const skippedLines = (skipped: number, isRepeated: boolean): string[] => [
  skipped === 1
    ? "1 count of clicks was left out. It belongs to no link of this import, or its day or number is out of range."
    : `${figure(skipped)} counts of clicks were left out. ` +
      "They belong to no link of this import, or their day or number is out of range.",
  ...(isRepeated
    ? [
        "  Clicks of links that were imported before are left alone. If those links came without clicks, undo that import " +
          "and import links and clicks together.",
      ]
    : []),
];

const outcomeLines = ({ renamed, imported_before, conflicts, refused }: Outcomes, get: string): string[] =>
  [
    [renamed, `${get} another slug`],
    [imported_before, "imported before, left alone"],
    [conflicts, "left out, because the slug is taken or not allowed"],
    [refused, "left out for other reasons"],
  ].flatMap(([count, what]) => (count === 0 ? [] : [`  ${figure(Number(count))} ${what}`]));

function forecastLines({ losses, hosts }: ImportForecast): string[] {
  const foreign = hosts.filter(({ is_yours }) => !is_yours);
  return [
    ...losses.map(({ what, links }) => `  ${figure(links)}: ${what}.`),
    ...foreign.map(
      ({ host, links }) =>
        `  ${host} isn't a domain of the account: its ${counted(links, "short URL")} won't work here. ` +
        "Add and verify the domain, then import.",
    ),
  ];
}

function nextSteps({ id, state, read, links, counts, forecast, can_resume }: Import, program: string): string[] {
  const { created, renamed } = links.done > 0 ? links : (forecast ?? links);
  const hasProblems =
    read.unreadable + read.notes + renamed + counts.skipped > 0 ||
    (forecast?.losses.length ?? 0) > 0 ||
    (read.links > created && (links.done > 0 || forecast !== null));
  return [
    ...(hasProblems ? [`List them with: ${program} imports show ${id} --problems`] : []),
    ...(can_resume && state !== "checked" ? [`Go on with: ${program} imports resume ${id}`] : []),
    ...(state === "checked" ? [`Nothing was created. Run it with: ${program} imports resume ${id}`] : []),
  ];
}
