import {
  type ComponentProps,
  cloneElement,
  createContext,
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from "react";
import { classes } from "./classes.ts";

const CloseContext = createContext<() => void>(() => {});

/** For what stands in a popover: closes it and gives the focus back. */
export const useClosePopover = (): (() => void) => useContext(CloseContext);

export interface PopoverProps {
  /** A button; a click on it opens and closes. */
  readonly trigger: ReactElement<ComponentProps<"button">>;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
  readonly role?: "dialog" | "menu";
  readonly label?: string;
  readonly className?: string;
  readonly onKeyDown?: (event: KeyboardEvent<HTMLDivElement>) => void;
}

function focusFirst(panel: HTMLElement | null): void {
  const find = (selector: string) => panel?.querySelector<HTMLElement>(selector);
  (find("[data-first]") ?? find("[role^=menuitem]:enabled, input"))?.focus();
}

/** The browser's own popover: it floats above all, stays at its button and closes on Escape or a click beside it. */
export function Popover({
  trigger,
  children,
  align = "end",
  role = "dialog",
  label,
  className,
  onKeyDown,
}: PopoverProps) {
  const id = useId();
  const panel = useRef<HTMLDivElement>(null);
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (open) focusFirst(panel.current);
  }, [open]);
  function follow(isOpen: boolean): void {
    setOpen(isOpen);
    // Closed and opened at once, the browser tells of the second only, and to React nothing has changed.
    if (isOpen && open) focusFirst(panel.current);
  }
  return (
    <>
      {cloneElement(trigger, { popoverTarget: id, "aria-haspopup": role, "aria-expanded": open })}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: its role is one of the two, both of which take keys */}
      {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: and a label */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role={role}
        aria-label={label}
        onToggle={(event) => follow(event.newState === "open")}
        onKeyDown={onKeyDown}
        className={classes(
          "popover rounded-xl border border-line bg-card text-text shadow-float empty:invisible",
          align === "start" ? "popover-start" : "popover-end",
          className,
        )}
      >
        {open && <CloseContext value={() => panel.current?.hidePopover()}>{children}</CloseContext>}
      </div>
    </>
  );
}
