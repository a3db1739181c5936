import type { Link, LinkCreate, LinkPatch } from "#contract/link-record.ts";
import { type RuleValues, rulesOf, toRules } from "./rules/rule-values.ts";

/** A stored password is never shown: it is kept, removed or replaced. */
export type PasswordValue = "none" | "kept" | { readonly text: string };
export type RedirectStatus = Link["redirect_status"];

export interface PreviewValues {
  readonly title: string;
  readonly description: string;
  readonly image_url: string;
}

/** What most links leave at its default; empty means unset. */
export interface SettingValues {
  readonly rules: readonly RuleValues[];
  readonly password: PasswordValue;
  readonly max_clicks: string;
  /** An instant, or nothing. */
  readonly starts_at: string;
  readonly expired_url: string;
  readonly preview: PreviewValues;
  readonly redirect_status: RedirectStatus;
  readonly forward_query: boolean;
  readonly forward_path: boolean;
  readonly notes: string;
  readonly external_id: string;
}

export const emptySettings: SettingValues = {
  rules: [],
  password: "none",
  max_clicks: "",
  starts_at: "",
  expired_url: "",
  preview: { title: "", description: "", image_url: "" },
  redirect_status: 302,
  forward_query: true,
  forward_path: false,
  notes: "",
  external_id: "",
};

export const settingsOf = (link: Link): SettingValues => ({
  rules: rulesOf(link.rules),
  password: link.password_protected ? "kept" : "none",
  max_clicks: link.max_clicks === null ? "" : String(link.max_clicks),
  starts_at: link.starts_at ?? "",
  expired_url: link.expired_url ?? "",
  preview: {
    title: link.preview?.title ?? "",
    description: link.preview?.description ?? "",
    image_url: link.preview?.image_url ?? "",
  },
  redirect_status: link.redirect_status,
  forward_query: link.forward_query,
  forward_path: link.forward_path,
  notes: link.notes ?? "",
  external_id: link.external_id ?? "",
});

type Sent = Pick<LinkCreate & LinkPatch, keyof SettingValues>;
type Complete = (address: string) => string;

const toPreview = ({ title, description, image_url }: PreviewValues, complete: Complete): Sent["preview"] => {
  const preview = {
    title: title.trim() || null,
    description: description.trim() || null,
    image_url: image_url.trim() === "" ? null : complete(image_url),
  };
  return Object.values(preview).every((value) => value === null) ? null : preview;
};

/** Each field as the API takes it; `null` is its default. */
const send: { readonly [F in keyof SettingValues]: (value: SettingValues[F], complete: Complete) => Sent[F] } = {
  rules: (rules, complete) => (rules.length === 0 ? null : toRules(rules, complete)),
  password: (password) => (typeof password === "string" ? null : password.text),
  max_clicks: (text) => (text.trim() === "" ? null : Number(text)),
  starts_at: (instant) => instant || null,
  expired_url: (url, complete) => (url.trim() === "" ? null : complete(url)),
  preview: toPreview,
  redirect_status: (status) => (status === 302 ? null : status),
  forward_query: (forwards) => (forwards ? null : false),
  forward_path: (forwards) => (forwards ? true : null),
  notes: (text) => text.trim() || null,
  external_id: (text) => text.trim() || null,
};

export const settingFields = Object.keys(emptySettings) as readonly (keyof SettingValues)[];

const sendField = <F extends keyof SettingValues>(field: F, values: SettingValues, complete: Complete): Sent[F] =>
  send[field](values[field], complete);

/** The body's part for these fields. */
export const toSettings = (
  values: SettingValues,
  fields: Iterable<keyof SettingValues>,
  complete: Complete,
): Partial<Sent> => Object.fromEntries([...fields].map((field) => [field, sendField(field, values, complete)]));
