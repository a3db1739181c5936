import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/** To be kept with the entry that opening a dialog makes in the history. */
export const withDialog = <S extends object>(state: S) => ({ ...state, dialog: true as const });

/** Closes a dialog that stands in the address: by going back, unless the page was opened with it. */
export function useDialogClosing(replace: () => void): () => void {
  const router = useRouter();
  return useCallback(() => {
    if (router.state.location.state.dialog) router.history.back();
    else replace();
  }, [router, replace]);
}
