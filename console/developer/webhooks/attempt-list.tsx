import { classes } from "#console/ui/classes.ts";
import { ScrollBox } from "#console/ui/scroll-box.tsx";
import { When } from "#console/ui/when.tsx";
import type { Delivery } from "#contract/console/webhooks.ts";
import { deliveryTexts as texts } from "#texts/deliveries.ts";
import { answerText, formatDuration, isSuccess } from "./delivery-texts.tsx";

/** A line through time: each attempt with what was answered, as text and nothing else. */
export function AttemptList({ attempts }: { readonly attempts: Delivery["log"] }) {
  if (attempts.length === 0) return <p className="text-sm text-soft">{texts.notSent}.</p>;
  return (
    <ol className="ml-1.5 border-l border-line-strong">
      {attempts.map((attempt, index) => (
        <li key={attempt.at} className="relative pb-4 pl-5 last:pb-0">
          <span
            aria-hidden
            className={classes(
              "absolute top-1.5 -left-[5px] size-2.5 rounded-full ring-4 ring-card",
              isSuccess(attempt) ? "bg-good" : "bg-bad",
            )}
          />
          <p className="flex flex-wrap items-baseline gap-x-2 text-sm">
            <span className={classes("font-medium", isSuccess(attempt) ? "text-good" : "text-bad")}>
              {answerText(attempt)}
            </span>
            <span className="text-soft">
              <When instant={attempt.at} /> · {formatDuration(attempt.duration_ms)}
              {attempt.manual && ` · ${texts.delivery.manual}`}
            </span>
          </p>
          {attempt.excerpt !== "" && (
            <details className="mt-1.5" open={index === attempts.length - 1 || undefined}>
              <summary className="cursor-pointer text-sm text-soft hover:text-text">{texts.delivery.response}</summary>
              <ScrollBox label={texts.delivery.responseOf(index + 1)} className="mt-1.5 max-h-48">
                <pre className="p-3 font-mono text-xs break-words whitespace-pre-wrap">{attempt.excerpt}</pre>
              </ScrollBox>
            </details>
          )}
        </li>
      ))}
    </ol>
  );
}
