import type { Tone } from "#console/ui/panel.tsx";
import type { Import, ImportState } from "#contract/console/imports.ts";

const working: readonly ImportState[] = ["reading", "checking", "running", "undoing"];

/** Whether it goes on by itself. */
export const isWorking = (state: ImportState): boolean => working.includes(state);

export const toneOf = (state: ImportState): Tone => {
  if (isWorking(state)) return "accent";
  if (state === "done") return "good";
  if (state === "failed") return "bad";
  return state === "checked" ? "warn" : "plain";
};

/** How much of the present step is done, from 0 to 1; `null` while nobody knows how much there is. */
export function shareOf({ state, read, checked_links, links, counts, erased_links }: Import): number | null {
  const of = (done: number, all: number) => (all === 0 ? 1 : Math.min(done / all, 1));
  if (state === "checking") return of(checked_links, read.links);
  if (state === "running") return of(links.done + counts.done, read.links + read.counts);
  if (state === "undoing") return of(erased_links, links.created);
  return null;
}

/** Whether there is something to read about links that couldn't be imported as they were. */
export const hasProblems = ({ read, links, counts, forecast }: Import): boolean => {
  const { renamed, imported_before, conflicts, refused } = links.done > 0 ? links : (forecast ?? links);
  const ofLinks = renamed + imported_before + conflicts + refused;
  return read.unreadable + read.notes + ofLinks + counts.skipped > 0 || (forecast?.losses.length ?? 0) > 0;
};

/** What failed while a file was read fails again: neither the file nor what its columns are can change. */
export const mustStartAgain = ({ state, forecast, options }: Pick<Import, "state" | "forecast" | "options">): boolean =>
  state === "failed" && forecast === null && options.file_name !== null;

/** Until it is read, a service has to be asked again, and its token isn't stored. Files need none. */
export const needsTokenAgain = ({ forecast, options }: Pick<Import, "forecast" | "options">): boolean =>
  forecast === null && options.file_name === null;
