import type { ToldClick } from "#contract/told-click.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { Click } from "./click-columns.ts";

export const tellClick = (click: Click): ToldClick => ({
  at: toTimestamp(click.at_ms),
  country: orNull(click.country),
  referrer: orNull(click.referrer),
  device: orNull(click.device),
  browser: orNull(click.browser),
  os: orNull(click.os),
  source: click.source === "qr" ? "qr" : "link",
});

const orNull = (text: string): string | null => (text === "" ? null : text);
