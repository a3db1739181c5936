import { useLocation, useNavigate } from "@tanstack/react-router";
import { Suspense, useLayoutEffect } from "react";
import { lazyPart, loadPart } from "#console/api/load-part.ts";
import { useWorkspace } from "#console/api/session.tsx";
import { makeStore } from "#console/ui/store.ts";
import { undoLast } from "#console/ui/toast.tsx";
import { useShortcuts } from "./shortcuts.ts";

const loadPalette = () => loadPart(() => import("./palette.tsx"));
const Palette = lazyPart(loadPalette, "Palette");
const HelpDialog = lazyPart(() => import("./help-dialog.tsx"), "HelpDialog");

const NewsDialog = lazyPart(() => import("./news-dialog.tsx"), "NewsDialog");

type Overlay = "palette" | "help" | "news";

const shown = makeStore<Overlay | null>(null);

/** Opens the command palette, the help or the news from anywhere. */
export const showOverlay = (overlay: Overlay): void => shown.set(overlay);

/** A dialog that is gone may still report that it was closed; it must not take the next one with it. */
const closing = (overlay: Overlay) => (): void => {
  if (shown.get() === overlay) shown.set(null);
};
const closePalette = closing("palette");
const closeHelp = closing("help");
const closeNews = closing("news");

/** What can be called up over every page of an account. */
export function Overlays() {
  const { account, may } = useWorkspace();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const overlay = shown.use();
  useShortcuts({
    "?": () => showOverlay("help"),
    // The list of links has its own way, which keeps what it is filtered by.
    ...(may("member") &&
      !pathname.endsWith("/links") && {
        c: () => void navigate({ to: "/a/$account/links", params: { account: account.id }, search: { new: "1" } }),
      }),
  });
  // Notices lie above dialogs, so what they offer works there, too.
  useShortcuts({ z: undoLast }, { inDialogs: true });
  useLayoutEffect(() => {
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
      {overlay === "palette" && <Palette onClose={closePalette} />}
      {overlay === "help" && <HelpDialog onClose={closeHelp} />}
      {overlay === "news" && <NewsDialog onClose={closeNews} />}
    </Suspense>
  );
}
