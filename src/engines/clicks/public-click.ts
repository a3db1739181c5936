import type { PublicClick } from "#contract/public-click.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { Click } from "./click-format.ts";

/** What `toPublicClick` needs of a click. */
export type ShownClick = Pick<Click, "at_ms" | "country" | "referrer" | "device" | "browser" | "os" | "source"> & {
  /** Nodes of an earlier release don't tell. */
  readonly rule?: string;
};

export const toPublicClick = (click: ShownClick): PublicClick => ({
  at: toTimestamp(click.at_ms),
  country: orNull(click.country),
  referrer: orNull(click.referrer),
  device: orNull(click.device),
  browser: orNull(click.browser),
  os: orNull(click.os),
  source: click.source,
  rule: orNull(click.rule ?? ""),
});

const orNull = (text: string): string | null => (text === "" ? null : text);
