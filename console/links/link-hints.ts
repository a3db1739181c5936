import { formatAddress, formatAgoInFull } from "#console/ui/format.ts";
import { linkFormTexts as texts } from "#texts/link-form.ts";
import type { LinkValues } from "./link-form-values.ts";
import type { RedirectStatus } from "./setting-values.ts";

// Hints about one field that depend on others: apart they would contradict each other.

type Values = Pick<LinkValues, "expires_at" | "expired_url" | "max_clicks" | "password" | "redirect_status">;

/** Where visitors go if the link has no address of its own for it: the domain's, or `null` for a page. */
type FromDomain = string | null;

/** At the time of expiry. */
export function expiryHint(
  { expires_at, expired_url }: Pick<Values, "expires_at" | "expired_url">,
  fromDomain: FromDomain,
): string {
  if (expires_at === "") return texts.expiry.none;
  const address = expired_url.trim() || fromDomain;
  const ago = formatAgoInFull(expires_at);
  return address === null ? texts.expiry.page(ago) : texts.expiry.address(ago, formatAddress(address));
}

/** At the time from which the link works. */
export function startHint({ starts_at }: Pick<LinkValues, "starts_at">, fromDomain: FromDomain): string {
  if (starts_at === "") return texts.start.none;
  const ago = formatAgoInFull(starts_at);
  return fromDomain === null ? texts.start.page(ago) : texts.start.address(ago, formatAddress(fromDomain));
}

/** At the address for visitors who come too late. */
export function endHint(
  { expires_at, max_clicks }: Pick<Values, "expires_at" | "max_clicks">,
  fromDomain: FromDomain,
): string {
  const { none, both, expiry, clicks, emptyPage, emptyAddress } = texts.end;
  if (expires_at === "" && max_clicks === "") return none;
  const when = expires_at !== "" && max_clicks !== "" ? both : expires_at === "" ? clicks : expiry;
  return `${when} ${fromDomain === null ? emptyPage : emptyAddress(formatAddress(fromDomain))}`;
}

const temporary: Partial<Readonly<Record<RedirectStatus, RedirectStatus>>> = { 301: 302, 308: 307 };

/** At the redirect status: nothing that has to be checked each time may be remembered by a browser. */
export function statusHint({
  redirect_status,
  max_clicks,
  password,
}: Omit<Values, "expires_at" | "expired_url">): string {
  const instead = temporary[redirect_status];
  const hasPassword = password !== "none";
  const hasLimit = max_clicks !== "";
  if (instead === undefined || !(hasPassword || hasLimit)) return texts.more.statuses[redirect_status].note;
  const { sentAs } = texts.more;
  return (hasPassword && hasLimit ? sentAs.both : hasPassword ? sentAs.password : sentAs.clicks)(instead);
}
