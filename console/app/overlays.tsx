import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { useShortcuts } from "./shortcuts.ts";

const loadPalette = () => import("./palette.tsx");
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const HelpDialog = lazy(async () => ({ default: (await import("./help-dialog.tsx")).HelpDialog }));

type Overlay = "palette" | "help";

let shown: Overlay | null = null;
const listeners = new Set<() => void>();

/** Opens the command palette or the help from anywhere. */
export function showOverlay(overlay: Overlay | null): void {
  shown = overlay;
  for (const listener of listeners) listener();
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};

/** What can be called up over every page of an account. */
export function Overlays() {
  const { account, may } = useWorkspace();
  const navigate = useNavigate();
  const overlay = useSyncExternalStore(subscribe, () => shown);
  const [close] = useState(() => () => showOverlay(null));
  useShortcuts({
    "?": () => showOverlay("help"),
    ...(may("member") && {
      c: () => void navigate({ to: "/a/$account/links", params: { account: account.id }, search: { new: "1" } }),
    }),
  });
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      // The first half of the keys is time enough to fetch it.
      if (event.key === "Control" || event.key === "Meta") void loadPalette();
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      if (document.querySelector("dialog[open]") && shown !== "palette") return;
      event.preventDefault();
      showOverlay(shown === "palette" ? null : "palette");
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  return (
    <Suspense>
      {overlay === "palette" && <Palette onClose={close} />}
      {overlay === "help" && <HelpDialog onClose={close} />}
    </Suspense>
  );
}
