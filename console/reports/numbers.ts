import { formatCount } from "#console/ui/format.ts";
import { locale } from "#console/ui/locale.ts";
import { reportTexts } from "#texts/reports.ts";

const texts = reportTexts.total;

const percent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 0 });
const smallPercent = new Intl.NumberFormat(locale, { style: "percent", maximumFractionDigits: 1 });

/** Of a whole; little is still told apart from nothing, and nearly everything from all of it. */
export function formatShare(part: number, whole: number): string {
  if (whole <= 0) return "";
  const share = part / whole;
  if (share > 0 && share < 0.001) return `<${smallPercent.format(0.001)}`;
  if (share > 0.999 && share < 1) return `>${smallPercent.format(0.999)}`;
  const isAtEdge = share < 0.01 || (share >= 0.995 && share < 1);
  return (isAtEdge ? smallPercent : percent).format(share);
}

export interface Change {
  readonly text: string;
  readonly direction: "up" | "down" | "same";
}

// Below this a percentage makes much of little: from 1 to 3 clicks is not a boom.
const PERCENT_FROM = 20;
const TIMES_FROM = 10;

/** How a number compares with the one of the period before; a difference where a percentage would mislead. */
export function describeChange(now: number, before: number): Change {
  const difference = now - before;
  if (difference === 0) return { text: texts.noChange, direction: "same" };
  const direction = difference > 0 ? "up" : "down";
  if (before < PERCENT_FROM) return { text: formatCount(Math.abs(difference)), direction };
  if (now / before >= TIMES_FROM) return { text: `${formatCount(Math.round(now / before))}×`, direction };
  const rounded = Math.round((Math.abs(difference) / before) * 100) / 100;
  if (rounded === 0) return { text: `<${percent.format(0.01)}`, direction };
  const isNearlyAll = rounded === 1 && direction === "down" && now > 0;
  return { text: isNearlyAll ? `>${percent.format(0.99)}` : percent.format(rounded), direction };
}
