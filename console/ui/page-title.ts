import { useEffect } from "react";

/** What the tab of the browser says while this is on screen. */
export function usePageTitle(title: string | undefined): void {
  useEffect(() => {
    if (title !== undefined) document.title = `${title} · Kurz`;
  }, [title]);
}
