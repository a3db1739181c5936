import { X } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef } from "react";
import { Button } from "./button.tsx";
import { classes } from "./classes.ts";

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly size?: "small" | "wide";
}

/** The browser's own dialog: it keeps the focus, closes on Escape and covers the page without a library. */
export function Dialog({ title, open, onClose, children, size = "small" }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    if (open && !element.open) element.showModal();
    if (!open && element.open) element.close();
  }, [open]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={titleId}
      onClose={onClose}
      // A press that begins inside, as when text is selected, must not close it.
      onMouseDown={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      className={classes(
        "w-[calc(100%-2rem)] rounded-2xl border border-line bg-card p-0 shadow-float",
        size === "small" ? "max-w-md" : "max-w-2xl",
      )}
    >
      {open && (
        <div className="p-5 sm:p-6">
          <header className="mb-4 flex items-start justify-between gap-4">
            <h2 id={titleId} className="text-lg font-semibold">
              {title}
            </h2>
            <Button look="quiet" size="icon" aria-label="Close" onClick={onClose} className="-mt-1.5 -mr-2">
              <X className="size-5" aria-hidden />
            </Button>
          </header>
          {children}
        </div>
      )}
    </dialog>
  );
}

export const DialogFooter = ({ children }: { readonly children: ReactNode }) => (
  <footer className="mt-6 flex flex-wrap justify-end gap-2">{children}</footer>
);
