import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useRef } from "react";

/** Pages that belong together, side by side; on narrow screens the row is moved sideways. */
export function TabBar({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another tab, which must be in sight
  useEffect(() => {
    nav.current?.querySelector("[aria-current=page]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <nav
      ref={nav}
      aria-label={label}
      className="-mx-4 mb-6 overflow-x-auto border-b border-line px-4 [scrollbar-width:none] sm:mx-0 sm:px-0"
    >
      <ul className="flex gap-6">{children}</ul>
    </nav>
  );
}

export const tabClasses =
  "-mb-px block border-b-2 border-transparent py-2.5 whitespace-nowrap text-soft -outline-offset-2 hover:text-text";
export const activeTabClasses = "border-accent! text-text! font-medium";
