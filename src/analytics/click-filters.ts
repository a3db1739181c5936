import { type AccountAnalyticsQuery, type ClickDimension, clickDimensions } from "#contract/analytics.ts";
import type { ReportFilters } from "#engines/clicks/clicks-engine.ts";
import type { Records } from "#engines/records/records.ts";
import { asciiName } from "#kernel/ascii-name.ts";
import { foldCase } from "#links/link-fields.ts";
import { hostNameOf } from "#shared/host-name.ts";
import { findLinkNumbers } from "./analytics.store.ts";

type ClickFilters = Pick<AccountAnalyticsQuery, ClickDimension>;
type AccountFilters = Pick<AccountAnalyticsQuery, ClickDimension | "domain" | "link" | "tag" | "tag_mode">;

interface Scope {
  readonly records: Records;
  readonly accountNo: number;
  /** The instance's own short domain. */
  readonly ownDomain: string;
}

/** The filters of a query over all links, in the engine's terms. */
export async function accountFilters(
  query: AccountFilters,
  { records, accountNo, ownDomain }: Scope,
): Promise<ReportFilters> {
  const { domain, link, tag, tag_mode } = query;
  return {
    ...textFilters(query),
    ...(domain && { domain: domain.map((name) => toStoredDomain(name, ownDomain)) }),
    ...(link && { link: await findLinkNumbers(records.read, accountNo, link) }),
    ...(tag && { tag: tag.map((name) => (name === "" ? null : foldCase(name))) }),
    ...(tag && tag_mode === "all" && { allTags: true }),
  };
}

const upperCase = (value: string): string => value.toUpperCase();
const lowerCase = (value: string): string => value.toLowerCase();
/** Codes and host names are stored in one case, but filters may use any. */
const folds: Partial<Record<ClickDimension, (value: string) => string>> = {
  country: upperCase,
  language: lowerCase,
  referrer: lowerCase,
};

/** Clicks on the instance's own domain are stored without one, so they follow it when the operator renames it. */
function toStoredDomain(name: string, ownDomain: string): string | null {
  const ascii = asciiName(name);
  // Not every text is a name: what isn't matches nothing.
  return ascii === hostNameOf(ownDomain) ? null : ascii || name;
}

/** An empty value matches clicks without one. */
export function textFilters(query: ClickFilters): ReportFilters {
  const chosen = clickDimensions.flatMap((name) => {
    const fold = folds[name] ?? ((value) => value);
    const values = query[name];
    return values ? [[name, values.map((value) => (value === "" ? null : fold(value)))]] : [];
  });
  return Object.fromEntries(chosen);
}
