import { useLayoutEffect, useRef } from "react";
import { makeStore } from "#console/ui/store.ts";

const KEY = "kurz.shortcuts";

/** Single letters may be switched off, for those who dictate or press keys by accident (WCAG 2.1.4). */
const areOn = makeStore(localStorage.getItem(KEY) !== "off");

export function switchShortcuts(on: boolean): void {
  localStorage.setItem(KEY, on ? "on" : "off");
  areOn.set(on);
}

export const useShortcutsSwitch = areOn.use;

/** Where keys and the clipboard belong to someone who is writing. */
const FIELDS = "input:not([type=checkbox]), textarea, select, [contenteditable]";
const MENUS = "[popover=auto]";
export const TYPING = `${FIELDS}, dialog, ${MENUS}`;

interface ShortcutOptions {
  /** Also while a dialog is open. */
  readonly inDialogs?: boolean;
}

/** Runs what belongs to a key, unless someone is typing or a dialog or menu is open. */
export function useShortcuts(
  shortcuts: Readonly<Record<string, () => void>>,
  { inDialogs = false }: ShortcutOptions = {},
): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  // Together with what is drawn: a key pressed as soon as the page can be seen counts.
  useLayoutEffect(() => {
    function press(event: KeyboardEvent): void {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !areOn.get()) return;
      const run = current.current[event.key];
      // Notices are a popover, too, but nothing that keys go to.
      if (!run || document.querySelector(`${MENUS}:popover-open`)) return;
      if (!inDialogs && document.querySelector("dialog[open]")) return;
      if (event.target instanceof Element && event.target.closest(inDialogs ? `${FIELDS}, ${MENUS}` : TYPING)) return;
      event.preventDefault();
      run();
    }
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [inDialogs]);
}
