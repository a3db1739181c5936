import { useRouterState } from "@tanstack/react-router";
import { appTexts as texts } from "#texts/app.ts";

/** At the top of the page while the next one is on its way. It begins late, so that quick ones never show it. */
export function ProgressLine() {
  const isLoading = useRouterState({ select: (state) => state.isLoading });
  if (!isLoading) return null;
  return (
    <div role="status" aria-label={texts.loadingPage} className="pointer-events-none fixed inset-x-0 top-0 z-50">
      <div className="h-0.5 origin-left animate-progress rounded-r-full bg-accent" />
    </div>
  );
}
