import { useRouter } from "@tanstack/react-router";
import { useCallback } from "react";

/** To be kept with the entry that opening a dialog makes in the history. */
export const withDialog = <S extends object>(state: S) => ({ ...state, dialog: true as const });

/** Entries of the history that are being left. The browser goes back a moment after it was told to. */
const left = new WeakSet<object>();

/** Closes a dialog that stands in the address: by going back, unless the page was opened with it. */
export function useDialogClosing(replace: () => void): () => void {
  const router = useRouter();
  return useCallback(() => {
    const { location } = router.history;
    if (!location.state.dialog) return replace();
    // Closing it twice, as by pressing Escape again, must not leave the page.
    if (left.has(location)) return;
    left.add(location);
    router.history.back();
  }, [router, replace]);
}
