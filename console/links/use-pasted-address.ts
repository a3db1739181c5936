import { useLayoutEffect, useRef } from "react";
import { TYPING } from "#console/app/shortcuts.ts";
import { readPasted } from "./pasted-address.ts";

/** Runs when someone pastes an address anywhere on the page, but not into a field. */
export function usePastedAddress(onPaste: (address: string) => void): void {
  const current = useRef(onPaste);
  current.current = onPaste;
  useLayoutEffect(() => {
    function paste(event: ClipboardEvent): void {
      if (event.defaultPrevented || document.querySelector("dialog[open], [popover=auto]:popover-open")) return;
      if (event.target instanceof Element && event.target.closest(TYPING)) return;
      const address = readPasted(event.clipboardData?.getData("text/plain") ?? "");
      if (address === null) return;
      event.preventDefault();
      current.current(address);
    }
    document.addEventListener("paste", paste);
    return () => document.removeEventListener("paste", paste);
  }, []);
}
