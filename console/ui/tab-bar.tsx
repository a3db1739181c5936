import { Link, type LinkProps, useLocation } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useWorkspace } from "#console/api/session.tsx";

/** Pages that are found by their account alone. */
type TabPath = Exclude<
  Extract<LinkProps["to"], `/a/$account/${"developer" | "personal" | "settings"}${string}`>,
  `${string}/$endpoint`
>;

interface TabBarProps {
  readonly label: string;
  readonly tabs: readonly {
    readonly to: TabPath;
    readonly label: string;
    /** Its address is the beginning of those of the others. */
    readonly exact?: true;
  }[];
}

/** Pages of an account that belong together, side by side; on narrow screens the row is moved sideways. */
export function TabBar({ label, tabs }: TabBarProps) {
  const { account } = useWorkspace();
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
      <ul className="flex gap-6">
        {tabs.map((tab) => (
          <li key={tab.label}>
            <Link
              to={tab.to}
              params={{ account: account.id }}
              className="-mb-px block border-b-2 border-transparent py-2 font-medium whitespace-nowrap text-soft -outline-offset-2 hover:text-text"
              activeProps={{ className: "border-accent! text-text!" }}
              activeOptions={{ exact: tab.exact === true }}
            >
              {tab.label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
