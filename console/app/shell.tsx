import { Link } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { lazyPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { SignInAgainPrompt } from "#console/sign-in/sign-in-again-prompt.tsx";
import { SudoPrompt } from "#console/sign-in/sudo-prompt.tsx";
import { COMMAND_KEY, Key } from "#console/ui/keys.tsx";
import { appTexts as texts } from "#texts/app.ts";
import { AccountMenu } from "./account-menu.tsx";
import { Banners } from "./banners.tsx";
import { HelpMenu } from "./help-menu.tsx";
import { Logo } from "./logo.tsx";
import { Overlays, showOverlay } from "./overlays.tsx";
import { places } from "./places.ts";
import { ProgressLine } from "./progress-line.tsx";

const DemoPill = lazyPart(() => import("#console/demo/demo-pill.tsx"), "DemoPill");
const DemoTour = lazyPart(() => import("#console/demo/demo-tour.tsx"), "DemoTour");

/** A column at the side on wide screens, a bar at the bottom on narrow ones. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { account, state } = useWorkspace();
  const items = places.map(({ to, label, icon: Icon }) => (
    <li key={to} className="max-lg:min-w-0 max-lg:flex-auto">
      <Link
        to={to}
        params={{ account: account.id }}
        className="flex items-center gap-2.5 rounded-lg px-2.5 font-medium text-soft transition-colors hover:bg-hover hover:text-text max-lg:flex-col max-lg:gap-1 max-lg:px-0.5 max-lg:py-1.5 max-lg:text-xs lg:h-8.5"
        activeProps={{ className: "max-lg:text-accent! lg:bg-active! lg:text-text! [&>svg]:text-accent" }}
        activeOptions={{ includeSearch: false }}
      >
        <Icon className="size-5 lg:size-4.5" aria-hidden />
        <span className="max-w-full truncate">{label}</span>
      </Link>
    </li>
  ));
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[15rem_1fr]">
      <ProgressLine />
      <a
        href="#content"
        className="sr-only focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-50 focus:rounded-lg focus:bg-card focus:px-4 focus:py-2"
      >
        {texts.skip}
      </a>
      <header
        data-screen-only
        className="flex items-center justify-between border-line p-3 max-lg:border-b max-lg:bg-card lg:fixed lg:inset-y-0 lg:w-60 lg:flex-col lg:items-stretch lg:justify-start lg:gap-4 lg:border-r lg:p-3"
      >
        <Link
          to="/a/$account/links"
          params={{ account: account.id }}
          className="flex items-center gap-2.5 rounded-lg px-2 lg:pt-1.5"
        >
          <Logo className="size-6" />
          <span className="text-lg font-semibold">Kurz</span>
        </Link>
        <Suspense>{state.demo && <DemoPill demo={state.demo} />}</Suspense>
        <button
          type="button"
          onClick={() => showOverlay("palette")}
          className="flex h-9 items-center gap-2 rounded-lg border border-line bg-card px-2.5 text-sm text-faint shadow-card transition-colors hover:border-line-strong hover:text-text max-lg:mr-2 max-lg:ml-auto"
        >
          <Search className="size-4" aria-hidden />
          <span className="sr-only">{texts.searchLabel}</span>
          <span className="grow text-left max-lg:hidden" aria-hidden>
            {texts.search}
          </span>
          <span className="flex gap-1 max-lg:hidden" aria-hidden>
            <Key>{COMMAND_KEY}</Key>
            <Key>K</Key>
          </span>
        </button>
        <nav
          aria-label={texts.navigation}
          className="max-lg:fixed max-lg:inset-x-0 max-lg:bottom-0 max-lg:z-40 max-lg:border-t max-lg:border-line max-lg:bg-card max-lg:px-1 max-lg:pb-[env(safe-area-inset-bottom)] lg:grow"
        >
          <ul className="flex gap-0.5 max-lg:py-1 lg:flex-col">{items}</ul>
        </nav>
        <div className="flex items-center gap-1 lg:flex-col lg:items-stretch">
          <HelpMenu />
          <AccountMenu />
        </div>
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 outline-none max-lg:pb-20 lg:col-start-2">
        <Banners />
        <div className="mx-auto max-w-6xl px-4 py-6 sm:px-6 lg:py-8">{children}</div>
      </main>
      <Suspense>{state.demo && <DemoTour />}</Suspense>
      <Overlays />
      <SudoPrompt />
      <SignInAgainPrompt />
    </div>
  );
}
