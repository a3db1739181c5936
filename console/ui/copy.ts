import { uiTexts as texts } from "#texts/ui.ts";
import { toast } from "./toast.tsx";

/** Puts a text on the clipboard and tells whether it worked. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Browsers offer the clipboard to https and localhost only; a console in a plain-http network has the old way.
    if (navigator.clipboard) await navigator.clipboard.writeText(text);
    else copyBySelection(text);
    return true;
  } catch {
    toast(texts.copyBlocked, { tone: "bad" });
    return false;
  }
}

function copyBySelection(text: string): void {
  const area = document.createElement("textarea");
  area.value = text;
  const focused = document.activeElement;
  // Inside an open dialog, since nothing outside of it can be selected.
  (document.querySelector("dialog[open]") ?? document.body).append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error("the browser refused");
}
