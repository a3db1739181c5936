import "./share.css";
import { QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { CallError } from "#console/api/call.ts";
import { Toaster } from "#console/ui/toast.tsx";
import { SharePage, shareKey } from "./share-page.tsx";

const RETRIES_MAX = 2;

/** A part of the report is no longer there: find out what became of the whole. */
function noticeEnd(error: unknown): void {
  const isGone = error instanceof CallError && (error.status === 404 || error.code === "share_locked");
  if (isGone) void client.invalidateQueries({ queryKey: shareKey });
}

const client = new QueryClient({
  queryCache: new QueryCache({ onError: (error, { queryKey }) => queryKey[0] !== shareKey[0] && noticeEnd(error) }),
  defaultOptions: {
    queries: {
      networkMode: "always",
      retry: (count, error) =>
        count < RETRIES_MAX && error instanceof CallError && (error.code === "offline" || error.code === "unavailable"),
    },
  },
});

const token = window.location.pathname.split("/")[2] ?? "";
const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <SharePage token={token} />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
);
