import { utmKeys } from "#contract/limits.ts";
import type { Link } from "#contract/link-record.ts";
import { toCsv } from "#kernel/csv.ts";

type Cell = string | number | null;
type Column = readonly [name: string, cellOf: (link: Link) => Cell];

const textOf = (value: unknown): Cell =>
  value === null || typeof value === "string" || typeof value === "number" ? value : String(value);

const same = (...names: readonly (keyof Link)[]): Column[] => names.map((name) => [name, (link) => textOf(link[name])]);

/** JSON, or nothing if it is empty. */
const json = (value: object): Cell => (Object.keys(value).length === 0 ? null : JSON.stringify(value));

const columns: readonly Column[] = [
  ...same("id", "short_url", "destination_url", "title"),
  ["tags", ({ tags }) => tags.join(" | ")],
  ...same("state"),
  ["blocked", ({ blocked }) => blocked?.reason ?? null],
  ...same("expires_at"),
  ...utmKeys.map((name): Column => [name, ({ utm }) => utm[name] ?? null]),
  ...same("click_count", "last_clicked_at", "created_via", "created_at", "updated_at"),
  ...same("domain", "slug", "external_id", "notes"),
  ["metadata", ({ metadata }) => json(metadata)],
  ...same("password_protected", "max_clicks", "starts_at", "expired_url"),
  ["rules", ({ rules }) => json(rules)],
  ...same("redirect_status", "forward_query", "forward_path"),
  ...(["title", "description", "image_url"] as const).map(
    (name): Column => [`preview_${name}`, ({ preview }) => preview?.[name] ?? null],
  ),
  ...same("version"),
];

export const linkCsvHead = (): string => toCsv([columns.map(([name]) => name)]);

export const linkCsvRows = (links: readonly Link[]): string =>
  toCsv(links.map((link) => columns.map(([, cellOf]) => cellOf(link))));
