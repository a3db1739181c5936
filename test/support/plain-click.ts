import type { Click } from "#clicks/click-columns.ts";

/** A person on a desktop opened the link itself; nothing more is known of the click. */
export const plainClick: Omit<Click, "at_ms" | "account_no" | "link_no"> = {
  bot: false,
  visitor: "",
  country: "",
  region: "",
  city: "",
  referrer: "",
  device: "desktop",
  browser: "",
  os: "",
  language: "",
  source: "link",
  utm_source: "",
  utm_medium: "",
  utm_campaign: "",
  utm_term: "",
  utm_content: "",
};
