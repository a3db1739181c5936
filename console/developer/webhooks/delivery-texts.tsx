import { locale } from "#console/ui/locale.ts";
import { Badge, type Tone } from "#console/ui/panel.tsx";
import type { DeliverySummary } from "#contract/console/webhooks.ts";
import { deliveryTexts as texts } from "#texts/deliveries.ts";

const tones: Readonly<Record<DeliverySummary["state"], Tone>> = { pending: "warn", delivered: "good", failed: "bad" };

export const DeliveryBadge = ({ state, last_attempt }: Pick<DeliverySummary, "state" | "last_attempt">) =>
  isSkipped(last_attempt) ? (
    <Badge tone="plain">{texts.skipped}</Badge>
  ) : (
    <Badge tone={tones[state]}>{texts.states[state]}</Badge>
  );

/** Not sent on purpose. */
export const isSkipped = (attempt: Pick<Answer, "problem"> | null): boolean => attempt?.problem === "skipped_demo";

interface Answer {
  readonly status: number | null;
  readonly problem: string | null;
}

const SECOND_MS = 1000;
const seconds = new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const clock = new Intl.DateTimeFormat(locale, { timeStyle: "medium" });

/** As in "85 ms" or "2.4 s". */
export const formatDuration = (ms: number): string =>
  ms < SECOND_MS ? `${ms} ms` : `${seconds.format(ms / SECOND_MS)} s`;

/** To the second, so that deliveries of the same minute can be told apart. */
export const formatSecond = (instant: string): string => clock.format(new Date(instant));

/** What came back, as in "Status 200" or "Timed out". */
export const answerText = ({ status, problem }: Answer): string =>
  status === null ? (texts.problems[problem ?? ""] ?? texts.noResponse) : texts.status(status);

export const isSuccess = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300;
