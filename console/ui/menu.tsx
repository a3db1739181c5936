import { Check } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef } from "react";
import { classes } from "./classes.ts";
import { Popover, type PopoverProps, useClosePopover } from "./popover.tsx";

const TYPING_MS_MAX = 700;

/** A list of things to do, moved through as the menus of desktops are: arrows, Home, End, first letters. */
export function Menu(props: Pick<PopoverProps, "trigger" | "children" | "align" | "label">) {
  const typed = useRef({ text: "", at: 0 });

  function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
    const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role^=menuitem]:enabled")];
    const at = items.indexOf(document.activeElement as HTMLElement);
    const next = () => {
      if (event.key === "ArrowDown") return items[(at + 1) % items.length];
      if (event.key === "ArrowUp") return items.at(at <= 0 ? -1 : at - 1);
      if (event.key === "Home") return items[0];
      if (event.key === "End") return items.at(-1);
      return event.key.length === 1 && event.key !== " " ? findByText(items, at, event.key) : undefined;
    };
    if (event.key === "Tab") event.currentTarget.hidePopover();
    const found = next();
    if (!found) return;
    event.preventDefault();
    event.stopPropagation();
    found.focus();
  }

  function findByText(items: readonly HTMLElement[], at: number, key: string): HTMLElement | undefined {
    const now = Date.now();
    const goesOn = now - typed.current.at < TYPING_MS_MAX;
    const text = (goesOn ? typed.current.text : "") + key.toLowerCase();
    typed.current = { text, at: now };
    const from = goesOn ? Math.max(at, 0) : at + 1;
    const ordered = [...items.slice(from), ...items.slice(0, from)];
    return ordered.find((item) => item.textContent?.trim().toLowerCase().startsWith(text));
  }

  return (
    <Popover
      {...props}
      role="menu"
      className="max-h-[min(70vh,26rem)] min-w-48 overflow-auto p-1"
      onKeyDown={moveFocus}
    />
  );
}

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  /** What it leads to, for those who wait on it. */
  readonly hint?: string | undefined;
  /** For one choice out of several: whether it is the one. */
  readonly chosen?: boolean;
  readonly children: ReactNode;
}

export function MenuItem({ onSelect, icon, danger = false, disabled = false, hint, chosen, children }: MenuItemProps) {
  const close = useClosePopover();
  const isChoice = chosen !== undefined;
  return (
    <button
      type="button"
      {...(isChoice ? { role: "menuitemradio", "aria-checked": chosen } : { role: "menuitem" })}
      tabIndex={-1}
      disabled={disabled}
      title={hint}
      onClick={() => {
        close();
        onSelect();
      }}
      onMouseMove={(event) => event.currentTarget.focus({ preventScroll: true })}
      className={classes(
        "flex h-8 pointer-coarse:h-10 w-full items-center gap-2.5 rounded-lg px-2.5 text-left text-sm whitespace-nowrap outline-none",
        "disabled:opacity-50 [&>svg]:size-4 [&>svg]:shrink-0",
        danger ? "text-bad focus:bg-bad-soft" : "focus:bg-hover",
      )}
    >
      {isChoice ? <Check className={classes("text-accent", !chosen && "invisible")} aria-hidden /> : icon}
      {children}
    </button>
  );
}

export const MenuLine = () => <hr className="mx-1 my-1 border-line" />;
