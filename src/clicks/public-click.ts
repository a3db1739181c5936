import type { PublicClick } from "#contract/public-click.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { Click } from "./click-columns.ts";

export const toPublicClick = (click: Click): PublicClick => ({
  at: toTimestamp(click.at_ms),
  country: orNull(click.country),
  referrer: orNull(click.referrer),
  device: orNull(click.device),
  browser: orNull(click.browser),
  os: orNull(click.os),
  source: click.source === "qr" ? "qr" : "link",
});

const orNull = (text: string): string | null => (text === "" ? null : text);
