import { utmKeys } from "#contract/limits.ts";
import { hostNameOf } from "#shared/host-name.ts";
import type { ImportedLink } from "../../import-source.ts";
import { TOTAL_LOSS, totalOf } from "../click-total.ts";
import type { Columns, LinkField } from "./csv-columns.ts";
import { readDate } from "./csv-dates.ts";
import { flag } from "./csv-flag.ts";
import { readWholeNumber } from "./csv-number.ts";
import { type LinkAddress, sourceIdOf } from "./csv-source-id.ts";
import { readState } from "./csv-state.ts";
import type { SplitTags } from "./csv-tags.ts";

export type ReadLink = { readonly link: ImportedLink } | { readonly problem: string };

type Cell = (field: LinkField) => string;

/** Our own exports put it before what spreadsheets would run as a formula. */
const FORMULA_MARK = /^'(?=[=+\-@＝＋－＠])/;

export const cellReader =
  <F extends string>(columns: Columns<F>, cells: readonly string[]) =>
  (field: F): string =>
    (cells[columns.get(field) ?? -1] ?? "").trim().replace(FORMULA_MARK, "");

/** A row as a link. What can't be understood is said, and only refused if the link would be another one without it. */
export function readLink(
  columns: Columns<LinkField>,
  cells: readonly string[],
  { timeZone, splitTags }: { readonly timeZone: string; readonly splitTags: SplitTags },
): ReadLink {
  const cell = cellReader(columns, cells);
  const destination = cell("destination_url");
  if (destination === "") return { problem: "The row has no destination." };
  const losses: string[] = [];

  const instant = (field: LinkField, mustBeRead: boolean): number | null => {
    const text = cell(field);
    if (text === "") return null;
    const read = readDate(text, timeZone);
    if (read) return read.ms;
    const why = `${field} isn't a date such as 2026-01-31 or 2026-01-31T12:00:00Z`;
    if (mustBeRead) throw new BadCell(`${why}: "${text.slice(0, 50)}".`);
    losses.push(why);
    return null;
  };
  const json = (field: LinkField): unknown => {
    const text = cell(field);
    if (text === "") return undefined;
    try {
      return JSON.parse(text) as unknown;
    } catch {
      throw new BadCell(`${field} isn't JSON: "${text.slice(0, 50)}".`);
    }
  };

  try {
    const { host, slug } = addressOf(cell);
    const expiresAt = instant("expires_at", true);
    const startsAt = instant("starts_at", true);
    const maxClicks = count(cell, "max_clicks");
    // A link that may have used up its clicks must not get them again.
    const clicks = maxClicks ? count(cell, "clicks") : readWholeNumber(cell("clicks"));
    if (clicks === null && cell("clicks") !== "")
      losses.push("A total of clicks that isn't a whole number is left out");
    if (clicks !== null && clicks > 0) losses.push(TOTAL_LOSS);
    const { state, unknown } = readState(cell);
    for (const field of unknown) losses.push(`${field} has a value that isn't known, so the link is paused`);
    const createdAt = instant("created_at", false);
    if (createdAt !== null && createdAt > Date.now()) losses.push(CREATED_LATER);
    const metadata = json("metadata") as Readonly<Record<string, string>> | undefined;
    const fields = {
      destination_url: destination,
      title: textOf(cell("title")),
      tags: splitTags(cell("tags")),
      utm: Object.fromEntries(utmKeys.map((key) => [key, textOf(cell(key))])),
      expires_at: isoOf(expiresAt),
      starts_at: isoOf(startsAt),
      notes: textOf(cell("notes")),
      external_id: textOf(cell("external_id")),
      max_clicks: maxClicks === 0 ? null : maxClicks,
      expired_url: textOf(cell("expired_url")),
      rules: json("rules"),
      redirect_status: count(cell, "redirect_status"),
      forward_query: flag(cell("forward_query")),
      forward_path: flag(cell("forward_path")),
      preview: previewOf(cell),
      metadata: clicks ? { ...metadata, ...totalOf(clicks) } : metadata,
    };
    return {
      link: {
        sourceId: sourceIdOf({ host, slug }, destination, cell("id"), cells),
        slug,
        host,
        fields: withoutEmpty(fields) as ImportedLink["fields"],
        state,
        createdAt,
        hadPassword: hasPassword(cell("password")),
        usedClicks: maxClicks ? Math.min(clicks ?? 0, maxClicks) : 0,
        losses,
      },
    };
  } catch (error) {
    if (error instanceof BadCell) return { problem: error.message };
    throw error;
  }
}

const CREATED_LATER = "A creation time in the future becomes the time of the import";

class BadCell extends Error {}

/** What some services have in place of a short URL. */
const BARE_SLUG = /^[\w-]+$/;

/** By short URL, or by slug and domain. */
export function addressOf(cell: (field: "short_url" | "slug" | "domain") => string): LinkAddress {
  const short = cell("short_url");
  const isSlug = BARE_SLUG.test(short);
  const url =
    short === "" || isSlug ? null : URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(short) ? short : `https://${short}`);
  const slug = cell("slug") || (isSlug ? short : pathOf(url));
  const domain = cell("domain");
  const named = domain === "" ? url : URL.parse(`https://${domain.replace(/^https?:\/\//i, "")}`);
  return { host: hostNameOf(named?.hostname ?? ""), slug: slug.replace(/^\/+/, "") };
}

function pathOf(url: URL | null): string {
  const path = (url?.pathname ?? "").replace(/^\/+|\/+$/g, "");
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const hasPassword = (text: string): boolean => text !== "" && flag(text) !== false;

function count(cell: Cell, field: LinkField): number | null {
  const text = cell(field);
  if (text === "") return null;
  const number = readWholeNumber(text);
  if (number === null) throw new BadCell(`${field} isn't a whole number: "${text.slice(0, 50)}".`);
  return number;
}

const textOf = (text: string): string | undefined => (text === "" ? undefined : text);

const isoOf = (ms: number | null): string | undefined => (ms === null ? undefined : new Date(ms).toISOString());

function previewOf(cell: Cell) {
  const [title, description, image_url] = [
    cell("preview_title"),
    cell("preview_description"),
    cell("preview_image_url"),
  ];
  const preview = withoutEmpty({
    title: textOf(title),
    description: textOf(description),
    image_url: textOf(image_url),
  });
  return Object.keys(preview).length === 0 ? undefined : preview;
}

const withoutEmpty = (fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
