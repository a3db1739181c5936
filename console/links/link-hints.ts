import { formatAddress, formatAgo } from "#console/ui/format.ts";
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
  if (expires_at === "") return "Never expires by default.";
  const address = expired_url.trim() || fromDomain;
  return `${formatAgo(expires_at)}; visitors then ${address === null ? "see that it ended" : `go to ${formatAddress(address)}`}.`;
}

/** At the time from which the link works. */
export function startHint({ starts_at }: Pick<LinkValues, "starts_at">, fromDomain: FromDomain): string {
  if (starts_at === "") return "Works at once by default.";
  const before = fromDomain === null ? "see “not found”" : `go to ${formatAddress(fromDomain)}`;
  return `${formatAgo(starts_at)}; until then visitors ${before}.`;
}

/** At the address for visitors who come too late. */
export function endHint(
  { expires_at, max_clicks }: Pick<Values, "expires_at" | "max_clicks">,
  fromDomain: FromDomain,
): string {
  const ends = [expires_at !== "" && "has expired", max_clicks !== "" && "has used up its clicks"].filter(
    (end) => end !== false,
  );
  if (ends.length === 0) return "Used once you set an expiry or a click limit.";
  const instead = fromDomain === null ? "see a page that says so" : `go to ${formatAddress(fromDomain)}`;
  return `For visitors once the link ${ends.join(" or ")}. If empty, they ${instead}.`;
}

const notes: Readonly<Record<RedirectStatus, string>> = {
  302: "Temporary. Every visit is counted, and changes apply at once.",
  307: "Like 302, but programs keep their request method.",
  301: "Search engines credit the destination. Browsers remember it for 90 seconds, and may not count repeated clicks.",
  308: "Like 301, but programs keep their request method.",
};

const temporary: Partial<Readonly<Record<RedirectStatus, RedirectStatus>>> = { 301: 302, 308: 307 };

/** At the redirect status: nothing that has to be checked each time may be remembered by a browser. */
export function statusHint({
  redirect_status,
  max_clicks,
  password,
}: Omit<Values, "expires_at" | "expired_url">): string {
  const instead = temporary[redirect_status];
  const guards = [password !== "none" && "password", max_clicks !== "" && "click limit"].filter((one) => one !== false);
  if (instead === undefined || guards.length === 0) return notes[redirect_status];
  return `Sent as ${instead} while the link has a ${guards.join(" and a ")}, since every visit must be checked.`;
}
