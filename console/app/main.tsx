import "./styles.css";
import { MutationCache, notifyManager, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { CallError } from "#console/api/call.ts";
import { stateKey } from "#console/api/session.tsx";
import { isSignedOut } from "#console/api/sign-in-again.ts";
import { watchReach } from "#console/api/watch-reach.ts";
import { Toaster } from "#console/ui/toast.tsx";
import { fillCache } from "./fill-cache.ts";
import { openRouter } from "./router.tsx";

const RETRIES_MAX = 2;

// A form that lets go of what was typed and the data that takes its place are then drawn at once. With the library's
// timer, the value from before would show between the two.
notifyManager.setScheduler(queueMicrotask);

/** A session that has ended shows in any answer; reading the state again then leads to the sign-in page or dialog. */
function noticeSignOut(error: unknown): void {
  if (isSignedOut(error)) void client.invalidateQueries({ queryKey: stateKey });
}

const client = new QueryClient({
  queryCache: new QueryCache({ onError: noticeSignOut }),
  mutationCache: new MutationCache({ onError: noticeSignOut }),
  defaultOptions: {
    // Requests are tried whatever the browser thinks of the network, which a server on the same machine doesn't need.
    mutations: { networkMode: "always" },
    queries: {
      networkMode: "always",
      staleTime: 10_000,
      retry: (count, error) =>
        count < RETRIES_MAX && error instanceof CallError && (error.code === "offline" || error.code === "unavailable"),
    },
  },
});

fillCache(client);
watchReach();

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
