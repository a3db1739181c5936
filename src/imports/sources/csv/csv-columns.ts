import { utmKeys } from "#contract/limits.ts";
import { countedDimensions } from "#engines/clicks/click-counts.ts";
import { findNearest } from "#shared/nearest-word.ts";
import { SourceProblem } from "../../import-source.ts";

/** What a column of links may have, and what other services call it. Written without case, spaces and punctuation. */
const linkNames = {
  destination_url:
    "destinationurl destination longurl originalurl original targeturl target url redirecturl redirectto fullurl long to",
  slug: "slug keyword key shortcode backhalf alias code slashtag customslug shortpath shortid path hash",
  short_url: "shorturl shortlink short bitlink shortenedurl shortened link",
  domain: "domain host hostname domainname",
  id: "id linkid uuid guid",
  title: "title name pagetitle linktitle",
  tags: "tags tag labels label categories category",
  state: "state status",
  archived: "archived isarchived",
  paused: "paused disabled banned isdisabled inactive",
  created_at: "createdat created createddate creationdate datecreated createdon dateadded timestamp date",
  expires_at: "expiresat expires expiry expiration expirationdate expirydate expireat expirein validuntil",
  starts_at: "startsat validsince startdate",
  notes: "notes note description comments comment",
  external_id: "externalid",
  password: "password haspassword passwordprotected",
  max_clicks: "maxclicks maxvisits clicklimit",
  clicks: "clicks clickcount totalclicks visits visitcount visitscount hits engagements",
  metadata: "metadata",
  rules: "rules",
  redirect_status: "redirectstatus redirecttype",
  forward_query: "forwardquery",
  forward_path: "forwardpath",
  expired_url: "expiredurl",
  preview_title: "previewtitle",
  preview_description: "previewdescription",
  preview_image_url: "previewimageurl",
  ...Object.fromEntries(utmKeys.map((key) => [key, key.replaceAll("_", "")])),
} as const satisfies Readonly<Record<string, string>>;

const countNames = {
  slug: linkNames.slug,
  short_url: linkNames.short_url,
  domain: linkNames.domain,
  date: "date day at time timestamp hour datetime",
  clicks: linkNames.clicks,
  bot: "bot bots isbot",
  ...Object.fromEntries(countedDimensions.map((name) => [name, name.replaceAll("_", "")])),
  country: "country countrycode",
  referrer: "referrer referer referrerhost referrers",
  language: "language lang",
  device: "device devicetype",
  os: "os operatingsystem platform",
} as const satisfies Readonly<Record<string, string>>;

export type LinkField = keyof typeof linkNames | (typeof utmKeys)[number];
export type CountField = keyof typeof countNames | (typeof countedDimensions)[number];

/** Where each field is: the position of its column. */
export type Columns<F extends string> = ReadonlyMap<F, number>;

/** The fields that columns of links can be mapped to. */
export const linkFieldNames = Object.keys(linkNames) as readonly LinkField[];

const fold = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, "");

/** Which column has which field, by their names alone. */
function guess<F extends string>(head: readonly string[], names: Readonly<Record<string, string>>): Map<F, number> {
  const folded = head.map(fold);
  const found = new Map<F, number>();
  for (const [field, words] of Object.entries(names)) {
    for (const word of words.split(" ")) {
      const index = folded.indexOf(word);
      if (index < 0 || [...found.values()].includes(index)) continue;
      found.set(field as F, index);
      break;
    }
  }
  return found;
}

/** As far as it is known: as the person says, and else by name. An empty column name leaves the field out. */
export function findLinkColumns(head: readonly string[], chosen: Readonly<Record<string, string>>): Columns<LinkField> {
  const columns = guess<LinkField>(head, linkNames);
  // A file with nothing but links has destinations in them.
  const link = columns.get("short_url");
  if (!columns.has("destination_url") && link !== undefined && fold(head[link] ?? "") === "link") {
    columns.delete("short_url");
    columns.set("destination_url", link);
  }
  for (const [field, name] of Object.entries(chosen)) {
    if (!(field in linkNames)) throw unknownField(field);
    if (name === "") {
      columns.delete(field as LinkField);
      continue;
    }
    const index = findColumn(head, name);
    for (const [other, taken] of columns) if (taken === index) columns.delete(other);
    columns.set(field as LinkField, index);
  }
  return columns;
}

export const findCountColumns = (head: readonly string[]): Columns<CountField> => guess<CountField>(head, countNames);

/** What a file with links can't do without. */
export function requireLinkColumns(head: readonly string[], columns: Columns<LinkField>): void {
  if (columns.has("destination_url")) return;
  throw new SourceProblem(
    `No column looks like the destination. Choose the one that has it, as "destination_url". ${columnsText(head)}`,
  );
}

/** What a file with clicks can't do without. */
export function requireCountColumns(head: readonly string[], columns: Columns<CountField>): void {
  for (const field of ["date", "clicks"] as const) {
    if (!columns.has(field))
      throw new SourceProblem(`The file with clicks needs a column "${field}". ${columnsText(head)}`);
  }
  if (columns.has("slug") || columns.has("short_url")) return;
  throw new SourceProblem(`The file with clicks needs a column "slug" or "short_url". ${columnsText(head)}`);
}

function findColumn(head: readonly string[], name: string): number {
  const exact = head.indexOf(name);
  const index = exact >= 0 ? exact : head.map(fold).indexOf(fold(name));
  if (index >= 0) return index;
  throw new SourceProblem(`There is no column "${name}". ${columnsText(head)}`);
}

const unknownField = (field: string): SourceProblem => {
  const near = findNearest(field, linkFieldNames);
  const hint = near === undefined ? `The fields are ${linkFieldNames.join(", ")}.` : `Do you mean ${near}?`;
  return new SourceProblem(`There is no field "${field}". ${hint}`);
};

const NAMES_SHOWN = 30;
const columnsText = (head: readonly string[]): string => {
  const shown = head.slice(0, NAMES_SHOWN).map((name) => `"${name.slice(0, 50)}"`);
  return `The columns are ${shown.join(", ")}${head.length > NAMES_SHOWN ? ", …" : ""}.`;
};
