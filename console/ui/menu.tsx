import { DropdownMenu } from "radix-ui";
import type { ReactNode } from "react";
import { classes } from "./classes.ts";

interface MenuProps {
  readonly trigger: ReactNode;
  readonly children: ReactNode;
  readonly align?: "start" | "end";
}

/** Not modal: the page stays scrollable, and no style has to be injected to hold it still. */
export const Menu = ({ trigger, children, align = "end" }: MenuProps) => (
  <DropdownMenu.Root modal={false}>
    <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
    <DropdownMenu.Portal>
      <DropdownMenu.Content
        align={align}
        sideOffset={6}
        className="z-50 max-h-[70vh] min-w-48 overflow-auto rounded-xl border border-line bg-card p-1 shadow-float"
      >
        {children}
      </DropdownMenu.Content>
    </DropdownMenu.Portal>
  </DropdownMenu.Root>
);

interface MenuItemProps {
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

export const MenuItem = ({ onSelect, icon, danger = false, disabled = false, children }: MenuItemProps) => (
  <DropdownMenu.Item
    disabled={disabled}
    onSelect={onSelect}
    className={classes(
      "flex h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2.5 text-sm outline-none select-none",
      "data-disabled:cursor-default data-disabled:opacity-50 data-highlighted:bg-hover",
      danger && "text-bad data-highlighted:bg-bad-soft",
      "[&>svg]:size-4 [&>svg]:shrink-0",
    )}
  >
    {icon}
    {children}
  </DropdownMenu.Item>
);

export const MenuLine = () => <DropdownMenu.Separator className="mx-1 my-1 h-px bg-line" />;
