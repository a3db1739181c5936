import { useMatchRoute, useNavigate } from "@tanstack/react-router";
import { X } from "lucide-react";
import { useEffect, useRef } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { makeStore } from "#console/ui/store.ts";
import { demoTexts as texts } from "#texts/demo.ts";

const KEY = "kurz.tour";

const steps = [
  { to: "/a/$account/links", ...texts.steps.list },
  { to: "/a/$account/links", ...texts.steps.create },
  { to: "/a/$account/reports", ...texts.steps.reports },
  { to: "/a/$account/developer/api", ...texts.steps.api },
] as const;

interface Shown {
  readonly at: number;
  /** By a click: each such step is read aloud, but not the first, unasked. */
  readonly isAsked: boolean;
}

/** The step on screen; `null` while there is no tour. */
const shown = makeStore<Shown | null>(localStorage.getItem(KEY) === null ? { at: 0, isAsked: false } : null);

/** What had the focus before the tour took it. */
let before: Element | null = null;

/** Shows a step and its page. After the last one, the tour is over. */
function useShowStep(): (at: number) => void {
  const { account } = useWorkspace();
  const navigate = useNavigate();
  return (at) => {
    const goal = steps[at];
    if (!goal) {
      endTour();
      return;
    }
    shown.set({ at, isAsked: true });
    void navigate({ to: goal.to, params: { account: account.id } });
  };
}

/** From its first page. The focus must be where it is to return to. */
export function useStartTour(): () => void {
  const show = useShowStep();
  return () => {
    before = document.activeElement;
    show(0);
  };
}

function endTour(): void {
  localStorage.setItem(KEY, "done");
  shown.set(null);
  const heir = before instanceof HTMLElement && before !== document.body && before.isConnected ? before : null;
  (heir ?? document.getElementById("content"))?.focus({ preventScroll: true });
  before = null;
}

/** Four steps through the demo, each on its page only. It is over for good once it was closed. */
export function DemoTour() {
  const show = useShowStep();
  const step = shown.use();
  const heading = useRef<HTMLHeadingElement>(null);
  const focused = useRef<Shown | null>(null);
  const isAt = useMatchRoute();
  const current = step && steps[step.at];
  const isHere = !!current && isAt({ to: current.to }) !== false;
  useEffect(() => {
    // Once for each step: someone who comes back to its page by themselves keeps the focus.
    if (!isHere || !step.isAsked || step === focused.current) return;
    focused.current = step;
    heading.current?.focus({ preventScroll: true });
  }, [step, isHere]);
  if (!current || !isHere) return null;
  const { at } = step;

  return (
    <aside
      data-screen-only
      aria-label={texts.tour}
      className="above-dock fixed right-4 z-30 w-80 max-w-[calc(100vw-2rem)] animate-rise rounded-2xl border border-line bg-card p-4 shadow-float"
    >
      <div className="flex items-start justify-between gap-3">
        <h2 ref={heading} tabIndex={-1} className="text-base font-semibold outline-none">
          {current.title}
        </h2>
        <button
          type="button"
          aria-label={texts.endTour}
          className="-mt-1 -mr-1 rounded-md p-1 text-faint hover:bg-hover hover:text-text"
          onClick={endTour}
        >
          <X className="size-4" aria-hidden />
        </button>
      </div>
      <p className="mt-1 text-soft">{current.text}</p>
      <div className="mt-4 flex items-center gap-2">
        <span className="mr-auto flex gap-1.5">
          <span className="sr-only">{texts.step(at + 1, steps.length)}</span>
          {steps.map(({ title }, index) => (
            <span
              key={title}
              aria-hidden
              className={classes("size-1.5 rounded-full", index === at ? "bg-accent" : "bg-line-strong")}
            />
          ))}
        </span>
        {at > 0 && (
          <Button look="quiet" size="small" onClick={() => show(at - 1)}>
            {texts.back}
          </Button>
        )}
        <Button look="primary" size="small" onClick={() => show(at + 1)}>
          {at === steps.length - 1 ? texts.done : texts.next}
        </Button>
      </div>
    </aside>
  );
}
