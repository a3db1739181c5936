import type { Import } from "#contract/console/imports.ts";
import { toTimestamp, toTimestampOrNull } from "#kernel/clock.ts";
import { hasStopped } from "./advance-import.ts";
import type { ImportRow } from "./imports.store.ts";

/** As people and programs see it. */
export function describeImport(row: ImportRow): Import {
  const { id, source, state, problem, options, progress, forecast } = row;
  const { url, fileName, onConflict, domain, tag, sendsEvents, withClicks } = options;
  const { offset: _, ...links } = progress.links;
  const { done, clicks, skipped } = progress.counts;
  return {
    ...{ id, source, state, problem, forecast, links },
    options: {
      ...{ url, domain, tag },
      ...{ file_name: fileName, on_conflict: onConflict, sends_events: sendsEvents, with_clicks: withClicks },
    },
    read: progress.read,
    checked_links: progress.checked,
    counts: { done, clicks, skipped },
    erased_links: progress.erased,
    can_resume: canResume(row),
    can_undo: canUndo(row),
    created_at: toTimestamp(row.created_at),
    updated_at: toTimestamp(row.updated_at),
    finished_at: toTimestampOrNull(row.finished_at),
  };
}

export const canResume = (row: ImportRow): boolean =>
  row.state === "checked" ||
  ((row.state === "cancelled" || row.state === "failed") &&
    !hasStopped(row, row.forecast) &&
    row.progress.erased === 0);

export const canUndo = ({ state, progress }: ImportRow): boolean =>
  ["running", "done", "cancelled", "failed"].includes(state) && progress.links.created > 0;

export const isWorking = ({ state }: Pick<Import, "state">): boolean => state.endsWith("ing");
