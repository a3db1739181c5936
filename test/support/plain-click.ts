import type { Click } from "#engines/clicks/click-format.ts";

/** A click by a person on a desktop, about which nothing else is known. */
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
  domain: "",
  rule: "",
};
