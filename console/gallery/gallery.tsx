import "./gallery.css";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { applyTheme, type Theme, themes } from "#console/app/theme.ts";
import { Button } from "#console/ui/button.tsx";
import { Toaster } from "#console/ui/toast.tsx";
import { Buttons } from "./buttons.tsx";
import { Fields } from "./fields.tsx";
import { Overlays } from "./overlays.tsx";
import { States } from "./states.tsx";
import { Surfaces } from "./surfaces.tsx";
import { Tokens } from "./tokens.tsx";

const themeLabels: Readonly<Record<Theme, string>> = { system: "System", light: "Light", dark: "Dark" };

/** Every token and every component, in every state. */
const Gallery = () => (
  <main className="mx-auto grid max-w-5xl grid-cols-1 gap-10 px-4 py-10 sm:px-6">
    <header className="flex flex-wrap items-center justify-between gap-3">
      <h1 className="text-2xl font-semibold">Components</h1>
      <div className="flex gap-2">
        {themes.map((theme) => (
          <Button key={theme} size="small" onClick={() => applyTheme(theme)}>
            {themeLabels[theme]}
          </Button>
        ))}
      </div>
    </header>
    <Tokens />
    <Buttons />
    <Fields />
    <Surfaces />
    <States />
    <Overlays />
  </main>
);

const root = document.getElementById("root");
if (!root) throw new Error("the page has no root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient()}>
      <Gallery />
      <Toaster />
    </QueryClientProvider>
  </StrictMode>,
);
