import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { isReachable } from "#console/api/reach.ts";
import { useRefreshState } from "#console/api/session.tsx";

const ASK_AGAIN_MS = 5000;

/** What is on screen stays there while the server is away, with word of it; it is asked again until it answers. */
export function OfflineBanner() {
  const isThere = isReachable.use();
  const refresh = useRefreshState();
  const client = useQueryClient();
  useEffect(() => {
    if (isThere) return;
    const timer = setInterval(() => void refresh(), ASK_AGAIN_MS);
    return () => {
      clearInterval(timer);
      void client.refetchQueries({ type: "active", predicate: ({ state }) => state.status === "error" });
    };
  }, [isThere, refresh, client]);
  return (
    <div aria-live="polite" className="sticky top-0 z-30">
      {!isThere && (
        <p className="border-b border-line bg-warn-soft px-4 py-2 text-center text-sm text-warn">
          The server cannot be reached. What you see may be out of date.
        </p>
      )}
    </div>
  );
}
