import { ChevronRight } from "lucide-react";
import { formatAgo, formatInstant } from "#console/ui/format.ts";
import { When } from "#console/ui/when.tsx";
import type { DeliverySummary } from "#contract/console/webhooks.ts";
import { deliveryTexts as texts } from "#texts/deliveries.ts";
import { answerText, DeliveryBadge, formatDuration, formatSecond, isSkipped } from "./delivery-texts.tsx";

interface DeliveryRowProps {
  readonly delivery: DeliverySummary;
  readonly onOpen: () => void;
}

export function DeliveryRow({ delivery, onOpen }: DeliveryRowProps) {
  const { event, state, subject, created_at, attempts, last_attempt, next_attempt_at } = delivery;
  return (
    <li className="border-line not-first:border-t">
      <button
        type="button"
        onClick={onOpen}
        className="flex w-full items-center gap-3 px-5 py-3 text-left -outline-offset-2 hover:bg-hover sm:px-6"
      >
        <span className="w-20 shrink-0">
          <DeliveryBadge state={state} last_attempt={last_attempt} />
        </span>
        <span className="min-w-0 grow">
          <span className="flex flex-wrap items-baseline gap-x-2.5">
            <span className="font-mono text-[0.8125rem]">{event}</span>
            {subject !== null && <span className="min-w-0 truncate font-medium">{subject}</span>}
          </span>
          <span className="block text-sm text-soft">
            {last_attempt ? answerText(last_attempt) : texts.notSent}
            {last_attempt && !isSkipped(last_attempt) && ` · ${formatDuration(last_attempt.duration_ms)}`}
            {attempts > 1 && ` · ${texts.attemptCount(attempts)}`}
            {state === "pending" && next_attempt_at !== null && last_attempt && (
              <>
                {" · "}
                <When said={texts.next} instant={next_attempt_at} />
              </>
            )}
          </span>
        </span>
        <time
          dateTime={created_at}
          title={formatInstant(created_at)}
          className="shrink-0 text-right text-sm whitespace-nowrap text-faint"
        >
          <span className="block tabular-nums">{formatSecond(created_at)}</span>
          <span className="block">{formatAgo(created_at)}</span>
        </time>
        <ChevronRight className="size-4 shrink-0 text-faint max-sm:hidden" aria-hidden />
      </button>
    </li>
  );
}
