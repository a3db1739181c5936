/** The text fields of a journal line in order; they follow at_ms, account_no, link_no, bot and visitor. */
export const clickTexts = [
  "country",
  "region",
  "city",
  "referrer",
  "language",
  "device",
  "browser",
  "os",
  "source",
  "utm_source",
  "utm_medium",
  "utm_campaign",
  "utm_term",
  "utm_content",
] as const;
export type ClickText = (typeof clickTexts)[number];
