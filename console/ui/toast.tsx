import { X } from "lucide-react";
import { useSyncExternalStore } from "react";
import { classes } from "./classes.ts";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "bad";
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

const SHOWN_MS = 6000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function set(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

export const dismissToast = (id: number): void => set(toasts.filter((toast) => toast.id !== id));

/** Says something that needs no answer, for a few seconds; the id takes it away earlier. */
export function toast(
  text: string,
  {
    tone = "plain",
    action = null,
    forMs = SHOWN_MS,
  }: Partial<Omit<Toast, "id" | "text">> & { readonly forMs?: number } = {},
): number {
  lastId += 1;
  const id = lastId;
  set([...toasts.slice(-2), { id, text, tone, action }]);
  setTimeout(() => dismissToast(id), forMs);
  return id;
}

export const toastError = (error: unknown): number =>
  toast(error instanceof Error ? error.message : "Something went wrong.", { tone: "bad" });

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toaster() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section
      aria-label="Notices"
      aria-live="polite"
      className="pointer-events-none fixed inset-x-0 bottom-0 z-50 flex flex-col items-center gap-2 p-4 max-sm:bottom-14"
    >
      {shown.map(({ id, text, tone, action }) => (
        <div
          key={id}
          className={classes(
            "pointer-events-auto flex max-w-full items-center gap-3 rounded-xl border border-line bg-card py-2 pr-2 pl-4 shadow-float",
            tone === "bad" && "text-bad",
          )}
        >
          <span className="min-w-0 text-sm">{text}</span>
          {action && (
            <button
              type="button"
              className="rounded-md px-2 py-1 text-sm font-semibold text-accent hover:bg-hover"
              onClick={() => {
                dismissToast(id);
                action.run();
              }}
            >
              {action.label}
            </button>
          )}
          <button
            type="button"
            aria-label="Dismiss"
            className="rounded-md p-1 text-faint hover:bg-hover"
            onClick={() => dismissToast(id)}
          >
            <X className="size-4" aria-hidden />
          </button>
        </div>
      ))}
    </section>
  );
}
