import "./styles.css";
import { MutationCache, notifyManager, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { CallError } from "#console/api/call.ts";
import { stateKey } from "#console/api/session.tsx";
import { Toaster } from "#console/ui/toast.tsx";
import { openRouter } from "./router.tsx";

const RETRIES_MAX = 2;

// A form that lets go of what was typed and the data that takes its place are then drawn at once. With the library's
// timer, the value from before would show between the two.
notifyManager.setScheduler(queueMicrotask);

/** A session that has ended shows itself in any answer; asking for the state anew then leads to the sign-in page. */
function noticeSignOut(error: unknown): void {
  if (error instanceof CallError && error.code === "not_signed_in") {
    void client.invalidateQueries({ queryKey: stateKey });
  }
}

const client = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      retry: (count, error) =>
        count < RETRIES_MAX && error instanceof CallError && (error.code === "offline" || error.code === "unavailable"),
    },
  },
});

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={openRouter()} />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
);
