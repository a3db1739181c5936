import { utmKeys } from "#contract/limits.ts";
import { type Link, LinkCreate, type LinkPatch, type UtmKey } from "#contract/link-record.ts";
import { checkDestinationLength, type DestinationRules, judgeDestination } from "#shared/destination-rules.ts";
import { fieldErrors } from "#shared/field-errors.ts";
import { locationOf } from "#shared/location.ts";
import { errorTexts } from "#texts/errors.ts";
import { linkFormTexts as texts } from "#texts/link-form.ts";
import { findRuleProblems } from "./rules/rule-problems.ts";
import { leftoversOf, type RuleValues, toRules } from "./rules/rule-values.ts";
import { emptySettings, type SettingValues, settingFields, settingsOf, toSettings } from "./setting-values.ts";
import { withScheme } from "./with-scheme.ts";

/** What stands in the fields; empty means unset. */
export interface LinkValues extends SettingValues {
  readonly destination_url: string;
  /** Only for new links; empty for the account's default. */
  readonly domain: string;
  readonly slug: string;
  readonly title: string;
  readonly tags: readonly string[];
  readonly utm: Readonly<Record<UtmKey, string>>;
  /** An instant, or nothing. */
  readonly expires_at: string;
}
export type LinkField = keyof LinkValues;

const mapUtm = (read: (key: UtmKey) => string): LinkValues["utm"] =>
  Object.fromEntries(utmKeys.map((key) => [key, read(key)])) as LinkValues["utm"];

/** Empty where a parameter isn't set. */
export const utmValues = (utm: Link["utm"]): LinkValues["utm"] => mapUtm((key) => utm[key] ?? "");

export const emptyValues: LinkValues = {
  destination_url: "",
  domain: "",
  slug: "",
  title: "",
  tags: [],
  utm: mapUtm(() => ""),
  expires_at: "",
  ...emptySettings,
};

export const valuesOf = (link: Link): LinkValues => ({
  destination_url: link.destination_url,
  domain: link.domain,
  slug: link.slug,
  title: link.title ?? "",
  tags: link.tags,
  utm: utmValues(link.utm),
  expires_at: link.expires_at ?? "",
  ...settingsOf(link),
});

/** What a copy of a link begins with: what must be its own, or would not be accepted again, is left out. */
export function valuesOfCopy(link: Link, now = Date.now()): LinkValues {
  const values = valuesOf(link);
  const isOver = values.expires_at !== "" && Date.parse(values.expires_at) <= now;
  return {
    ...values,
    slug: "",
    external_id: "",
    // Nobody can read it, so nobody can copy it.
    password: "none",
    ...(isOver && { expires_at: "" }),
  };
}

const sameValue = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** A rule that was removed and built again is the same rule, unless text is left in one of its fields. */
const sameRules = (a: readonly RuleValues[], b: readonly RuleValues[]): boolean =>
  sameValue(toRules(a, withScheme), toRules(b, withScheme)) && sameValue(leftoversOf(a), leftoversOf(b));

const sameField = (field: LinkField, a: LinkValues, b: LinkValues): boolean =>
  field === "rules" ? sameRules(a.rules, b.rules) : sameValue(a[field], b[field]);

const fields = Object.keys(emptyValues) as readonly LinkField[];

export const changedFields = (from: LinkValues, to: LinkValues): readonly LinkField[] =>
  fields.filter((field) => !sameField(field, from, to));

export const setUtm = (utm: LinkValues["utm"]): Partial<Record<UtmKey, string>> =>
  Object.fromEntries(utmKeys.flatMap((key) => (utm[key].trim() === "" ? [] : [[key, utm[key].trim()]])));

export function toCreate(values: LinkValues): LinkCreate {
  const { destination_url, domain, slug, title, tags, utm, expires_at } = values;
  const set = setUtm(utm);
  const settings = Object.entries(toSettings(values, settingFields, withScheme)).filter(([, value]) => value !== null);
  return {
    destination_url: withScheme(destination_url),
    ...(domain !== "" && { domain }),
    ...(slug.trim() !== "" && { slug: slug.trim() }),
    ...(title.trim() !== "" && { title: title.trim() }),
    ...(tags.length > 0 && { tags: [...tags] }),
    ...(Object.keys(set).length > 0 && { utm: set }),
    ...(expires_at !== "" && { expires_at }),
    ...Object.fromEntries(settings),
  };
}

/** Only what differs, so that what someone else changed meanwhile stays. */
export function toPatch(base: LinkValues, values: LinkValues): LinkPatch {
  const changed = new Set(changedFields(base, values));
  return {
    ...(changed.has("destination_url") && { destination_url: withScheme(values.destination_url) }),
    ...(changed.has("title") && { title: values.title.trim() || null }),
    ...(changed.has("tags") && { tags: [...values.tags] }),
    ...(changed.has("utm") && {
      utm: Object.fromEntries(utmKeys.map((key) => [key, values.utm[key].trim() || null])),
    }),
    ...(changed.has("expires_at") && { expires_at: values.expires_at || null }),
    ...toSettings(
      values,
      settingFields.filter((field) => changed.has(field)),
      withScheme,
    ),
  };
}

export type FieldProblems = Readonly<Record<string, string>>;

// The server knows more hosts that are refused; what is permitted here it still judges.
const rulesOf = (ownHosts: readonly string[]): DestinationRules => ({
  ownHosts,
  shortenerHosts: new Set(),
  allowPrivate: true,
});

/** The server's own rules, as far as they can be known here: by field, as in `utm.utm_source`. */
export function findProblems(values: LinkValues, ownHosts: readonly string[], base: LinkValues | null): FieldProblems {
  const body = toCreate(values);
  const judgeAddress = (address: string): string | undefined => {
    const judged = judgeDestination(withScheme(address), rulesOf(ownHosts));
    return judged.ok ? undefined : errorTexts.field(judged);
  };
  const problems = findRuleProblems(values.rules, (address) =>
    address.trim() === "" ? texts.problems.ruleDestination : judgeAddress(address),
  );
  for (const [field, address] of [
    ["expired_url", values.expired_url],
    ["preview.image_url", values.preview.image_url],
  ] as const) {
    const problem = address.trim() === "" ? undefined : judgeAddress(address);
    if (problem !== undefined) problems[field] = problem;
  }
  const parsed = LinkCreate.safeParse(body);
  if (!parsed.success) {
    for (const error of fieldErrors("body", parsed.error.issues, body))
      problems[error.field] ??= errorTexts.field(error);
  }
  const checked = judgeDestination(body.destination_url, rulesOf(ownHosts));
  const whole = checked.ok ? checkDestinationLength(locationOf(checked.url, setUtm(values.utm))) : checked;
  if (!whole.ok) problems.destination_url = errorTexts.field(whole);
  if (problems.slug) problems.slug = texts.problems.slug;
  const isNewExpiry = values.expires_at !== "" && values.expires_at !== base?.expires_at;
  if (isNewExpiry && Date.parse(values.expires_at) <= Date.now()) problems.expires_at = texts.problems.future;
  const { starts_at, expires_at } = values;
  const isNewPeriod = isNewExpiry || starts_at !== base?.starts_at;
  if (isNewPeriod && starts_at !== "" && expires_at !== "" && Date.parse(starts_at) >= Date.parse(expires_at))
    problems.starts_at = texts.problems.startsBeforeEnd;
  if (typeof values.password === "object" && values.password.text === "") problems.password = texts.problems.password;
  if (problems.max_clicks) problems.max_clicks = texts.problems.maxClicks;
  return problems;
}

/** Where the visitors of a stored link are sent. */
export const addressOf = (link: Link): string => locationOf(link.destination_url, setUtm(valuesOf(link).utm));

/** Where visitors are sent, byte for byte as the redirect builds it. */
export function finalAddress({ destination_url, utm }: LinkValues, ownHosts: readonly string[]): string | null {
  const checked = judgeDestination(withScheme(destination_url), rulesOf(ownHosts));
  return checked.ok ? locationOf(checked.url, setUtm(utm)) : null;
}

/** One's own changes on top of what someone else saved meanwhile; `clashes` are the fields that both changed. */
export function mergeValues(
  base: LinkValues,
  mine: LinkValues,
  theirs: LinkValues,
): { readonly values: LinkValues; readonly theirs: readonly LinkField[]; readonly clashes: readonly LinkField[] } {
  const changedHere = changedFields(base, mine);
  const changedThere = changedFields(base, theirs);
  const values = Object.fromEntries(
    fields.map((field) => [field, changedHere.includes(field) ? mine[field] : theirs[field]]),
  ) as unknown as LinkValues;
  return {
    values,
    theirs: changedThere.filter((field) => !changedHere.includes(field)),
    clashes: changedThere.filter((field) => changedHere.includes(field) && !sameField(field, mine, theirs)),
  };
}
