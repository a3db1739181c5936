import type { ReactNode } from "react";
import { uiTexts as texts } from "#texts/ui.ts";

/** A key to press, as it is printed on the keyboard. */
export const Key = ({ children }: { readonly children: ReactNode }) => (
  <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded-md border border-line bg-card px-1 font-sans text-xs text-soft">
    {children}
  </kbd>
);

/** How this machine names the key that opens commands. */
export const COMMAND_KEY = /Mac|iPhone|iPad/.test(navigator.platform) ? "⌘" : texts.controlKey;
