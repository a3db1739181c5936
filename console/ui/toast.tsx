import { X } from "lucide-react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { uiTexts as texts } from "#texts/ui.ts";
import { classes } from "./classes.ts";
import { Key } from "./keys.tsx";
import { useTopDialog } from "./open-dialogs.ts";
import { makeStore } from "./store.ts";

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "bad";
  readonly action: { readonly label: string; readonly run: () => void } | null;
  /** Takes back what it tells of. */
  readonly undo: (() => void) | null;
  readonly forMs: number;
}

const SHOWN_MS = 6000;
const SHOWN_MAX = 3;

const toasts = makeStore<readonly Toast[]>([]);
let lastId = 0;

export const dismissToast = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/** Says something that needs no answer, for a few seconds; the id takes it away earlier. */
export function toast(text: string, options: Partial<Omit<Toast, "id" | "text">> = {}): number {
  lastId += 1;
  const shown = toasts.get();
  const added = { id: lastId, text, tone: "plain", action: null, undo: null, forMs: SHOWN_MS, ...options } as const;
  // The oldest makes room, though not one that could still be undone.
  const oldest = shown.length < SHOWN_MAX ? undefined : (shown.find(({ undo }) => !undo) ?? shown[0]);
  toasts.set([...shown.filter((other) => other !== oldest), added]);
  return added.id;
}

export const toastError = (error: unknown): number =>
  toast(error instanceof Error ? error.message : texts.wentWrong, { tone: "bad" });

/** Takes back what was told last, if it can be taken back. */
export function undoLast(): void {
  const last = toasts.get().findLast(({ undo }) => undo !== null);
  if (!last) return;
  dismissToast(last.id);
  last.undo?.();
}

/**
 * A popover, so that what is new lies above a dialog, and inside of the topmost one: whatever is outside of it can't be
 * pressed. It stays open: screen readers watch what is there already.
 */
export function Toaster() {
  const region = useRef<HTMLElement>(null);
  // Moved as a whole, so that a notice stays the same one, with the time that is left to it.
  const [place] = useState(() => document.createElement("div"));
  const dialog = useTopDialog();
  const shown = toasts.use();
  const newest = shown.at(-1)?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new one lifts it above what has opened since
  useLayoutEffect(() => {
    const element = region.current;
    // One that closes as a notice comes is already gone from the page.
    const parent = dialog?.isConnected ? dialog : document.body;
    if (place.parentNode !== parent) parent.append(place);
    element?.showPopover();
    return () => element?.hidePopover();
  }, [newest, dialog]);
  useLayoutEffect(() => () => place.remove(), [place]);
  return createPortal(
    <section
      ref={region}
      popover="manual"
      aria-label={texts.notices}
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 top-auto bottom-(--dock-reach,0px) flex w-full flex-col items-center gap-2 overflow-visible bg-transparent p-4 max-lg:bottom-[max(3.5rem,var(--dock-reach,0px))]"
    >
      {shown.map((each) => (
        <ToastView key={each.id} toast={each} />
      ))}
    </section>,
    place,
  );
}

/** Stays while the pointer or the focus is on it, so that nobody has to hurry. */
function ToastView({ toast: { id, text, tone, action, undo, forMs } }: { readonly toast: Toast }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => dismissToast(id), forMs);
    return () => clearTimeout(timer);
  }, [held, id, forMs]);
  const offered = undo ? { label: texts.undo, run: undo } : action;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only waits while it is being looked at
    <div
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
      className={classes(
        "pointer-events-auto flex animate-rise max-w-full items-center gap-3 rounded-xl border border-line bg-card py-2 pr-2 pl-4 shadow-float",
        tone === "bad" && "text-bad",
      )}
    >
      <span className="min-w-0 text-sm">{text}</span>
      {offered && (
        <button
          type="button"
          className="flex items-center gap-2 rounded-md px-2 py-1 text-sm font-semibold text-accent hover:bg-hover"
          onClick={() => {
            dismissToast(id);
            offered.run();
          }}
        >
          {offered.label}
          {undo && (
            <span className="max-lg:hidden" aria-hidden>
              <Key>Z</Key>
            </span>
          )}
        </button>
      )}
      <button
        type="button"
        aria-label={texts.dismiss}
        className="rounded-md p-1 text-faint hover:bg-hover"
        onClick={() => dismissToast(id)}
      >
        <X className="size-4" aria-hidden />
      </button>
    </div>
  );
}
