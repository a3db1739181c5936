import type { Link, LinkCreate, LinkPatch } from "#contract/link-record.ts";
import { toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import type { LinkPreview, LinkSettings, RedirectStatus } from "#visits/link-settings.ts";
import type { Rule } from "#visits/rule.ts";

type SettingsBody = Pick<
  LinkCreate & LinkPatch,
  | "rules"
  | "redirect_status"
  | "forward_query"
  | "forward_path"
  | "preview"
  | "max_clicks"
  | "starts_at"
  | "expired_url"
>;
type SentRule = NonNullable<SettingsBody["rules"]>[number];
/** Checks a destination at this place in the body, and returns what is stored. */
export type SerialiseAt = (field: string, url: string) => string;

/** Applies a body: what it leaves out stays, and what it sets to `null` or to its default is not stored at all. */
export function changeSettings(current: LinkSettings, body: SettingsBody, serialise: SerialiseAt): LinkSettings {
  const { rules, redirect_status: status, preview, starts_at: startsAt, expired_url: expiredUrl } = body;
  const changed: { [K in keyof LinkSettings]: LinkSettings[K] | null | undefined } = {
    rules: rules && (rules.length > 0 ? toRules(rules, serialise) : null),
    redirect_status: status === 302 ? null : status,
    forward_query: body.forward_query === true ? null : body.forward_query,
    forward_path: body.forward_path === false ? null : body.forward_path,
    preview: preview && mergePreview(current.preview, preview, serialise),
    max_clicks: body.max_clicks,
    starts_at: typeof startsAt === "string" ? Date.parse(startsAt) : startsAt,
    expired_url: expiredUrl && serialise("expired_url", expiredUrl),
  };
  const merged = { ...current, ...definedOf(changed) };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null)) as LinkSettings;
}

const definedOf = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>;

/** What everything that isn't stored means. In the order of the contract: a repeated creation returns the same bytes. */
export const describeSettings = (
  settings: LinkSettings,
  usedClicks: number,
  now: number,
): Pick<
  Link,
  | "max_clicks"
  | "exhausted"
  | "starts_at"
  | "scheduled"
  | "expired_url"
  | "rules"
  | "redirect_status"
  | "forward_query"
  | "forward_path"
  | "preview"
> => ({
  max_clicks: settings.max_clicks ?? null,
  exhausted: settings.max_clicks !== undefined && usedClicks >= settings.max_clicks,
  starts_at: toTimestampOrNull(settings.starts_at ?? null),
  scheduled: settings.starts_at !== undefined && settings.starts_at > now,
  expired_url: settings.expired_url ?? null,
  rules: (settings.rules ?? []) as Link["rules"],
  redirect_status: (settings.redirect_status ?? 302) satisfies RedirectStatus,
  forward_query: settings.forward_query ?? true,
  forward_path: settings.forward_path ?? false,
  preview: settings.preview ?? null,
});

/** By key, as a merge patch does. A card without anything on it is none. */
function mergePreview(
  current: LinkPreview | undefined,
  { title, description, image_url }: NonNullable<SettingsBody["preview"]>,
  serialise: SerialiseAt,
): LinkPreview | null {
  const image = image_url && serialise("preview.image_url", image_url);
  const merged = {
    title: title === undefined ? (current?.title ?? null) : title,
    description: description === undefined ? (current?.description ?? null) : description,
    image_url: image === undefined ? (current?.image_url ?? null) : image || null,
  };
  return Object.values(merged).every((value) => value === null) ? null : merged;
}

function toRules(rules: readonly SentRule[], serialise: SerialiseAt): Rule[] {
  const names = nameAll(rules, "rule");
  return rules.map(({ when, destination_url, split }, at) => {
    const frame = { name: names[at] ?? "", ...(when && { when: storedConditions(when) }) };
    if (split === undefined) {
      return { ...frame, destination_url: serialise(`rules.${at}.destination_url`, destination_url ?? "") };
    }
    const ways = nameAll(split, "way");
    return {
      ...frame,
      split: split.map(({ weight, destination_url: url }, no) => ({
        name: ways[no] ?? "",
        weight,
        destination_url: serialise(`rules.${at}.split.${no}.destination_url`, url),
      })),
    };
  });
}

type SentConditions = NonNullable<SentRule["when"]>;

/** As sent, but with timestamps as in every answer. */
function storedConditions({ not, ...conditions }: SentConditions): SentConditions {
  return { ...withTimestamps(conditions), ...(not && { not: withTimestamps(not) }) };
}

function withTimestamps<C extends NonNullable<SentConditions["not"]>>(conditions: C): C {
  const { time } = conditions;
  if (time === undefined || "timezone" in time) return conditions;
  const { after, before } = time;
  const stamped = {
    ...(after !== undefined && { after: toTimestamp(Date.parse(after)) }),
    ...(before !== undefined && { before: toTimestamp(Date.parse(before)) }),
  };
  return { ...conditions, time: stamped };
}

/** Names for those that have none: the first numbers that are free. */
function nameAll(all: readonly { readonly name?: string | undefined }[], kind: string): readonly string[] {
  const taken = new Set(all.map(({ name }) => name));
  let number = 0;
  return all.map(({ name }) => {
    if (name !== undefined) return name;
    do number += 1;
    while (taken.has(`${kind}-${number}`));
    return `${kind}-${number}`;
  });
}
