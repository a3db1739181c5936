import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isReachable } from "#console/api/reach.ts";
import { useRefreshState } from "#console/api/session.tsx";
import { appTexts as texts } from "#texts/app.ts";

/** What is on screen stays there while the server is away, and says so; what is missing is loaded when it is back. */
export function OfflineBanner() {
  const isThere = isReachable.use();
  const refresh = useRefreshState();
  const client = useQueryClient();
  useEffect(() => {
    if (isThere) return;
    return () => {
      void refresh();
      void client.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    };
  }, [isThere, refresh, client]);
  return (
    <div aria-live="polite" className="sticky top-0 z-30">
      {!isThere && (
        <p className="border-b border-line bg-warn-soft px-4 py-2 text-center text-sm text-warn">
          {navigator.onLine ? texts.unreachable : texts.offline}
        </p>
      )}
    </div>
  );
}
