import { formatExact, formatInstant } from "#console/ui/format.ts";
import type { LinkVersion, RecordedFields } from "#contract/link-history.ts";
import { historyTexts as texts } from "#texts/link-history.ts";
import { rulesOf } from "../rules/rule-values.ts";
import { ruleText } from "../rules/rule-words.ts";
import type { RecordedField } from "./version-fields.ts";

/** What a change took away and what it brought, in lines. */
export interface FieldChange {
  readonly field: RecordedField;
  readonly removed: readonly string[];
  readonly added: readonly string[];
}

type Words = { readonly [F in RecordedField]?: (value: NonNullable<RecordedFields[F]>) => readonly string[] };

const pairs = (value: object): string[] => Object.entries(value).map(([name, text]) => `${name}: ${text}`);

/** Texts are shown as they are. */
const words: Words = {
  blocked: ({ reason }) => [texts.blockReasons[reason]],
  tags: (tags) => tags,
  utm: pairs,
  metadata: pairs,
  expires_at: (instant) => [formatInstant(instant)],
  starts_at: (instant) => [formatInstant(instant)],
  max_clicks: (clicks) => [formatExact(clicks)],
  rules: (rules) => rulesOf(rules).map(ruleText),
  redirect_status: (status) => [String(status)],
  forward_query: (isOn) => [isOn ? texts.on : texts.off],
  forward_path: (isOn) => [isOn ? texts.on : texts.off],
  preview: ({ title, description, image_url }) => [title, description, image_url].filter((text) => text !== null),
  password_protected: (isSet) => (isSet ? [texts.password.set] : []),
};

function linesOf<F extends RecordedField>(field: F, value: RecordedFields[F]): readonly string[] {
  if (value === null || value === undefined) return [];
  return words[field]?.(value) ?? [String(value)];
}

/** Of a list, only what differs: the rest of it is no news. Another state is what the version is named after. */
export function changesOf({ before, after }: Pick<LinkVersion, "before" | "after">): FieldChange[] {
  const fields = (Object.keys(after) as RecordedField[]).filter((field) => field !== "state");
  return fields.map((field) => {
    const old = linesOf(field, before[field]);
    const now = linesOf(field, after[field]);
    const removed = old.filter((line) => !now.includes(line));
    const added = now.filter((line) => !old.includes(line));
    if (removed.length + added.length > 0) return { field, removed, added };
    return { field, removed, added: [field === "password_protected" ? texts.password.replaced : texts.reordered] };
  });
}
