import type { z } from "zod";
import { readDayRange } from "#console/ui/days.ts";
import type { Link } from "#contract/link-record.ts";
import { type LinkSort, linkSorts, type listLinks } from "#contract/links.ts";

export const shows = ["active", "paused", "archived", "expired", "blocked", "all", "deleted"] as const;
export type Show = (typeof shows)[number];

export const ages = ["today", "7d", "30d", "90d", "365d"] as const;
export type Age = (typeof ages)[number];

/** What makes up the list. */
export interface LinkFilter {
  readonly q?: string;
  /** Active and paused links, where nothing is said. */
  readonly show?: Show;
  readonly tag?: readonly string[];
  /** The host name of short links. */
  readonly domain?: string;
  readonly created?: Age;
  /** Made on one of these days of the reader's calendar, in place of an age. */
  readonly from?: string;
  readonly to?: string;
  readonly sort?: LinkSort;
}
export type FilterChange = { readonly [K in keyof LinkFilter]: LinkFilter[K] | undefined };

/** What the address of the page says: the list, and the dialog that is open over it. */
export interface LinkListSearch extends LinkFilter {
  readonly new?: "1";
  /** The link that a new one begins as a copy of. */
  readonly copy?: string;
  readonly edit?: string;
  readonly qr?: string;
  readonly history?: string;
}

export const SEARCH_CHARACTERS_MIN = 3;
export const SEARCH_CHARACTERS_MAX = 500;
const DOMAIN_NAME_MAX = 255;

/** Everything that is not understood is left out. */
export function readLinkListSearch(search: Record<string, unknown>): LinkListSearch {
  const text = (name: string): string | undefined => {
    const value = search[name];
    return typeof value === "string" && value !== "" ? value : undefined;
  };
  const oneOf = <T extends string>(name: string, all: readonly T[]): T | undefined =>
    all.find((value) => value === search[name]);
  const q = text("q")?.slice(0, SEARCH_CHARACTERS_MAX);
  const tag = [search.tag].flat().filter((value): value is string => typeof value === "string" && value !== "");
  const show = oneOf("show", shows);
  const range = readDayRange(search);
  const created = oneOf("created", ages);
  const sort = oneOf("sort", linkSorts);
  const domain = text("domain")?.slice(0, DOMAIN_NAME_MAX);
  const copy = text("copy");
  const edit = text("edit");
  const qr = text("qr");
  const history = text("history");
  return {
    ...(q && { q }),
    ...(show && { show }),
    ...(tag.length > 0 && { tag }),
    ...(domain && { domain }),
    ...(range ?? (created && { created })),
    ...(sort && sort !== "-created_at" && { sort }),
    ...(search.new === "1" && { new: "1" as const }),
    ...(copy && { copy }),
    ...(edit && { edit }),
    ...(qr && { qr }),
    ...(history && { history }),
  };
}

export function filterOf(search: LinkListSearch): LinkFilter {
  const { new: _new, copy: _copy, edit: _edit, qr: _qr, history: _history, ...filter } = search;
  return filter;
}

export const noFilter = {
  q: undefined,
  show: undefined,
  tag: undefined,
  domain: undefined,
  created: undefined,
  from: undefined,
  to: undefined,
} as const;

export const isFiltered = (filter: LinkFilter): boolean =>
  Object.keys(noFilter).some((name) => filter[name as keyof typeof noFilter] !== undefined);

/** With the tag chosen where it was not, and without it where it was, however it is written. */
export function toggleTag({ tag: chosen = [] }: LinkFilter, tag: string): Pick<FilterChange, "tag"> {
  const others = chosen.filter((other) => other.toLowerCase() !== tag.toLowerCase());
  const tags = others.length < chosen.length ? others : [...chosen, tag];
  return { tag: tags.length > 0 ? tags : undefined };
}

type LinkQueryInput = z.input<(typeof listLinks)["query"]>;

const showQueries: Readonly<Record<Show, LinkQueryInput>> = {
  active: { state: ["active"] },
  paused: { state: ["paused"] },
  archived: { state: ["archived"] },
  expired: { state: ["all"], expired: true },
  blocked: { state: ["all"], blocked: true },
  all: { state: ["all"] },
  deleted: { state: ["deleted"] },
};

const ageDays: Readonly<Record<Age, number>> = { today: 0, "7d": 7, "30d": 30, "90d": 90, "365d": 365 };

/** From a midnight on, so that the cursors of a list stay good while it is read. */
export function startOf(age: Age, now: Date): string {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() - ageDays[age]).toISOString();
}

/** The midnight that a day begins with, where the reader is. */
const midnightOf = (day: string): string => new Date(`${day}T00:00`).toISOString();

export function toLinkQuery(
  { q, show, tag, domain, created, from, to, sort }: LinkFilter,
  now = new Date(),
): LinkQueryInput {
  return {
    ...(q !== undefined && [...q.trim()].length >= SEARCH_CHARACTERS_MIN && { q: q.trim() }),
    ...(show && showQueries[show]),
    ...(tag && { tag: [...tag] }),
    ...(domain && { domain }),
    ...(created && { created_after: startOf(created, now) }),
    ...(from && { created_after: midnightOf(from) }),
    ...(to && { created_before: midnightOf(to) }),
    ...(sort && { sort }),
  };
}

/** As the list asks for it: in the trash, the last deleted comes first, which is what most come back for. */
export const toListQuery = (filter: LinkFilter): LinkQueryInput => ({
  ...(filter.show === "deleted" && { sort: "-updated_at" }),
  ...toLinkQuery(filter),
});

/** Whether a link whose state has just changed still belongs to what is shown. */
export function isShown({ state, expired, blocked }: Link, show: Show | undefined): boolean {
  if (state === "deleted" || show === "deleted") return state === show;
  if (show === undefined) return state !== "archived";
  if (show === "expired") return expired;
  if (show === "blocked") return blocked !== null;
  return show === "all" || state === show;
}
