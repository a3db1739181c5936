import { type ClickLines, clickLines } from "#sample-data/click-lines.ts";

const LINKS = 900;
const HOUR_MS = 3_600_000;

/** Clicks of the last hour, on links of the first account. */
export const benchClicks = (clicks: number, seed: number): Iterable<ClickLines> =>
  clickLines({
    targets: Array.from({ length: LINKS }, (_, index) => ({
      ...({ accountNo: 1, linkNo: index + 1, createdMs: 0, channel: index % 2 ? "social" : "website" } as const),
      utm:
        index % 3 === 0 ? {} : { utm_source: "newsletter", utm_medium: "email", utm_campaign: `spring-${index % 50}` },
    })),
    clicks,
    fromMs: Date.now() - HOUR_MS,
    toMs: Date.now(),
    seed,
  });
