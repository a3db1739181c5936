import { useLocation, useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { makeStore } from "#console/ui/store.ts";
import { undoLast } from "#console/ui/toast.tsx";
import { useShortcuts } from "./shortcuts.ts";

const loadPalette = () => import("./palette.tsx");
const Palette = lazy(async () => ({ default: (await loadPalette()).Palette }));
const HelpDialog = lazy(async () => ({ default: (await import("./help-dialog.tsx")).HelpDialog }));

type Overlay = "palette" | "help";

const shown = makeStore<Overlay | null>(null);

/** Opens the command palette or the help from anywhere. */
export const showOverlay = (overlay: Overlay): void => shown.set(overlay);

const close = (): void => shown.set(null);

/** What can be called up over every page of an account. */
export function Overlays() {
  const { account, may } = useWorkspace();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const overlay = shown.use();
  useShortcuts({
    "?": () => showOverlay("help"),
    z: undoLast,
    // The list of links has its own way, which keeps what it is filtered by.
    ...(may("member") &&
      !pathname.endsWith("/links") && {
        c: () => void navigate({ to: "/a/$account/links", params: { account: account.id }, search: { new: "1" } }),
      }),
  });
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      // The first half of the keys is time enough to fetch it.
      if (event.key === "Control" || event.key === "Meta") void loadPalette();
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      if (document.querySelector("dialog[open]") && shown.get() !== "palette") return;
      event.preventDefault();
      shown.set(shown.get() === "palette" ? null : "palette");
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
