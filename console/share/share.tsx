import "./share.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { CallError } from "#console/api/call.ts";
import { Toaster } from "#console/ui/toast.tsx";
import { SharePage } from "./share-page.tsx";

const RETRIES_MAX = 2;

const client = new QueryClient({
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
