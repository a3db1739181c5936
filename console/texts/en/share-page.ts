import { plural } from "#console/ui/format.ts";

/** The page of a shared report. */
export const sharePageTexts = {
  badge: "Shared report",
  note: "Read-only. Bots aren’t counted as clicks, and no visitor is identified.",
  minVisitors: (least: number) => `Values with fewer than ${plural(least, "visitor")} aren’t listed.`,
  until: (instant: string) => `Available until ${instant}.`,
  locked: "This report is protected",
  lockedNote: "Enter the password you got from the person who shared it.",
  password: "Password",
  open: "Open report",
  gone: "This report isn’t available",
  goneNote: "It was revoked, has expired or never existed. Ask the person who sent you the address for a new one.",
};
