import { X } from "lucide-react";
import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import { uiTexts as texts } from "#texts/ui.ts";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";
import { addOpenDialog } from "./open-dialogs.ts";

const sizes = { small: "max-w-md", wide: "max-w-2xl", widest: "max-w-5xl" } as const;

const headClasses =
  "sticky top-0 z-10 -mx-5 -mt-5 flex items-start justify-between gap-4 bg-card px-5 pt-5 pb-4 sm:-mx-6 sm:-mt-6 sm:px-6 sm:pt-6";

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  /**
   * Someone wants to leave, by the cross or a press beside it, or by Escape or a phone's way back. It closes when `open`
   * becomes false.
   */
  readonly onClose: (by: "pointer" | "escape") => void;
  readonly children: ReactNode;
  readonly size?: keyof typeof sizes;
  /** A press beside it does nothing, as where something would be lost. */
  readonly sticky?: boolean;
  /** Only what is marked `data-acknowledge` leads out of it: it shows something that is never shown again. */
  readonly locked?: boolean;
  /** Without the visible head, for panels that explain themselves. */
  readonly bare?: boolean;
}

/** The browser's own dialog: it keeps the focus, closes on Escape and covers the page without a library. */
export function Dialog({ title, open, children, size = "small", bare = false, ...ways }: DialogProps) {
  const { locked = false, sticky = locked } = ways;
  const dialog = useRef<HTMLDialogElement>(null);
  const wasAsked = useRef(false);
  const titleId = useId();
  const onClose = locked
    ? () => dialog.current?.querySelector<HTMLElement>("[data-acknowledge]")?.focus()
    : ways.onClose;
  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element || !open) return;
    element.showModal();
    // Where nothing asks to be first it is the heading, which says what this is; a browser would take the cross.
    const first = element.querySelector<HTMLElement>("[data-first]") ?? element.querySelector<HTMLElement>("h2");
    first?.focus();
    const remove = addOpenDialog(element);
    return () => {
      remove();
      // Closing it, rather than removing it, gives the focus back to where it was.
      element.close();
    };
  }, [open]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || event.defaultPrevented) return;
        // A menu closes first. Notices are a popover, too, but nothing that Escape closes.
        if (event.currentTarget.querySelector("[popover=auto]:popover-open")) return;
        // Otherwise a browser closes it unasked when Escape is pressed again and again.
        event.preventDefault();
        onClose("escape");
      }}
      onCancel={(event) => {
        if (event.target !== event.currentTarget) return;
        event.preventDefault();
        wasAsked.current = true;
        onClose("escape");
      }}
      // Without a key, as by the way back of a phone, a browser may close it whatever the answer was.
      onClose={(event) => {
        if (!open || event.target !== event.currentTarget) return;
        if (sticky) event.currentTarget.showModal();
        if (!sticky || !wasAsked.current) onClose("escape");
        wasAsked.current = false;
      }}
      // A press that begins inside, as when text is selected, must not close it.
      onMouseDown={(event) => {
        if (!sticky && event.target === event.currentTarget) onClose("pointer");
      }}
      className={classes(
        "w-[calc(100%-1.5rem)] rounded-2xl border border-line bg-card p-0 shadow-float",
        sizes[size],
        // What gets the focus must not be hidden by the head, which stays in place.
        bare ? "mt-[12vh]" : "max-h-[calc(100dvh-1.5rem)] scroll-pt-20",
      )}
    >
      {open && (
        <div className={bare ? "" : "p-5 sm:p-6"}>
          <header className={bare ? "sr-only" : headClasses}>
            <h2 id={titleId} tabIndex={-1} className="text-lg font-semibold outline-none">
              {title}
            </h2>
            {!bare && !locked && (
              <Button
                look="quiet"
                size="icon"
                aria-label={texts.close}
                onClick={() => onClose("pointer")}
                className="-mt-1.5 -mr-2"
              >
                <X className="size-5" aria-hidden />
              </Button>
            )}
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}

export const DialogFooter = ({ children }: { readonly children: ReactNode }) => (
  <footer className="sticky bottom-0 -mx-5 mt-2 -mb-5 flex flex-wrap items-center justify-end gap-2 bg-card px-5 pt-4 pb-5 sm:-mx-6 sm:-mb-6 sm:px-6 sm:pb-6">
    {children}
  </footer>
);
