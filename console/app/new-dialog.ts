import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { useDialogClosing, withDialog } from "./dialog-history.ts";

/** Of a page with one thing to add, whose dialog is part of its address. */
export interface NewDialogSearch {
  readonly new?: "1";
}

export const readNewDialog = (search: Record<string, unknown>): NewDialogSearch =>
  search.new === "1" ? { new: "1" } : {};

/** Whether the page's dialog for something new is open, and how to open and close it. */
export function useNewDialog(): { readonly isOpen: boolean; readonly open: () => void; readonly close: () => void } {
  const search = useSearch({ strict: false });
  const navigate = useNavigate();
  const show = useCallback(
    (search: NewDialogSearch, entry: { readonly replace: true } | { readonly state: typeof withDialog }) =>
      void navigate({ to: ".", search, resetScroll: false, ...entry }),
    [navigate],
  );
  const open = useCallback(() => show({ new: "1" }, { state: withDialog }), [show]);
  const close = useDialogClosing(useCallback(() => show({}, { replace: true }), [show]));
  return { isOpen: search.new === "1", open, close };
}
