import { Trash2, X } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { dock } from "#console/ui/dock.ts";
import { formatExact } from "#console/ui/format.ts";
import { toastError } from "#console/ui/toast.tsx";
import { TRASH_DAYS } from "#contract/limits.ts";
import type { Link, TagChange } from "#contract/link-record.ts";
import type { LinkCount } from "#contract/links.ts";
import { bulkTexts as texts } from "#texts/link-bulk.ts";
import { linkTexts } from "#texts/links.ts";
import { BulkButton } from "./bulk-button.tsx";
import { BulkFailures } from "./bulk-failures.tsx";
import { BulkTags } from "./bulk-tags.tsx";
import { EraseDialog } from "./erase-dialog.tsx";
import { type LinkMove, linkMoves, movesOf } from "./link-changes.ts";
import type { LinkFilter } from "./link-list-search.ts";
import { moveIcons } from "./link-menu.tsx";
import { type Progress, useBulkChanges } from "./use-bulk-changes.ts";
import type { Selection } from "./use-selection.ts";

interface BulkBarProps {
  readonly filter: LinkFilter;
  /** How many links the filter matches. */
  readonly count: LinkCount | undefined;
  /** Whether the list has all of them. */
  readonly isComplete: boolean;
  readonly selection: Selection;
  /** The bar is gone, and the focus with it. */
  readonly onLeave: () => void;
}

/** What can be done with all selected links at once. */
export function BulkBar({ filter, count, isComplete, selection, onLeave }: BulkBarProps) {
  const bulk = useBulkChanges();
  const [asking, setAsking] = useState<"delete" | "erase" | null>(null);
  const { selected, isAll, has, clear, select, selectAll } = selection;
  const { progress } = bulk;
  const isBusy = progress !== null;
  const content = useRef<HTMLDivElement>(null);
  // A button that makes room for the progress leaves the focus nowhere.
  useLayoutEffect(() => {
    if (isBusy && document.activeElement === document.body) content.current?.focus({ preventScroll: true });
  }, [isBusy]);
  const isShown = selected.length > 0 || isBusy;
  const wasShown = useRef(false);
  useLayoutEffect(() => {
    if (wasShown.current && !isShown && document.activeElement === document.body) onLeave();
    wasShown.current = isShown;
  }, [isShown, onLeave]);
  // What is no longer selected is no longer a matter of concern.
  const failures = bulk.failures.filter(({ item }) => has(item.id));
  if (!isShown) return null;

  const find = async (): Promise<readonly Link[]> => (isAll && !isComplete ? bulk.find(filter) : selected);

  async function move(action: LinkMove): Promise<void> {
    setAsking(null);
    const links = (await find()).filter((link) => movesOf(link).includes(action));
    // What failed stays selected, so that it can be tried again.
    select(await bulk.run(links, { action }, texts.moves[action]));
  }

  async function tag(tags: TagChange): Promise<void> {
    const { add: [added] = [], remove: [removed] = [] } = tags;
    const done = (what: string) =>
      added === undefined ? texts.tags.removed(what, removed ?? "") : texts.tags.tagged(what, added);
    const links = await find();
    const failed = await bulk.run(links, { tags }, { doing: texts.tags.tagging, done });
    // Tagging is rarely the last thing to do with a selection.
    if (failed.length > 0) select(failed);
  }

  async function erase(): Promise<void> {
    setAsking(null);
    const links = await find();
    select(await bulk.run(links, { action: "erase" }, texts.moves.erase));
  }

  const total = count && `${formatExact(count.count)}${count.at_least ? "+" : ""}`;
  const isTrash = filter.show === "deleted";
  const isBeyondSight = isAll && !isComplete;
  const moves = linkMoves.filter((one) => selected.some((link) => movesOf(link).includes(one)));
  const selectedCount = isBeyondSight && count ? count.count : selected.length;
  return (
    <section
      ref={dock}
      aria-label={texts.label}
      className="sticky bottom-4 z-30 mx-auto mt-4 w-fit max-w-full rounded-2xl border border-line bg-card p-2 shadow-float max-lg:bottom-20 max-sm:w-full"
    >
      <BulkFailures failures={failures} />
      <div ref={content} tabIndex={-1} className="rounded-lg">
        {progress ? (
          <ProgressLine {...progress} />
        ) : (
          <div className="flex flex-wrap items-center gap-1">
            <div className="flex min-w-0 flex-wrap items-center gap-1 max-sm:w-full">
              <Button look="quiet" size="icon" aria-label={texts.clear} onClick={clear}>
                <X className="size-4" aria-hidden />
              </Button>
              <span className="text-sm font-medium whitespace-nowrap" role="status">
                {!isAll
                  ? texts.selected(selected.length)
                  : total === undefined
                    ? texts.allSelected(selected.length)
                    : texts.totalSelected(total)}
              </span>
              {!isAll && !isComplete && total && (
                <Button look="quiet" size="small" className="text-accent! max-sm:ml-auto" onClick={selectAll}>
                  {texts.selectAll(total)}
                </Button>
              )}
              <span className="mx-1 h-5 border-l border-line max-sm:hidden" aria-hidden />
            </div>
            <div className="flex flex-wrap gap-1 max-sm:w-full">
              {!isTrash && <BulkTags onChange={(change) => void tag(change).catch(toastError)} />}
              {moves.map((one) => {
                const Icon = moveIcons[one];
                const asks = one === "delete" && isBeyondSight;
                return (
                  <BulkButton
                    key={one}
                    label={linkTexts.moves[one].label}
                    icon={Icon}
                    isDanger={one === "delete"}
                    onClick={() => (asks ? setAsking("delete") : void move(one).catch(toastError))}
                  />
                );
              })}
              {isTrash && <BulkButton label={texts.erase} icon={Trash2} isDanger onClick={() => setAsking("erase")} />}
            </div>
          </div>
        )}
      </div>
      {asking === "delete" && (
        <ConfirmDialog
          title={texts.deleteAll.title(total ?? "")}
          confirmLabel={texts.deleteAll.confirm}
          onConfirm={async () => void move("delete").catch(toastError)}
          onClose={() => setAsking(null)}
        >
          {texts.deleteAll.note(TRASH_DAYS)}
        </ConfirmDialog>
      )}
      {asking === "erase" && (
        <EraseDialog
          what={isBeyondSight && total !== undefined ? texts.totalLinks(total) : texts.links(selected.length)}
          count={selectedCount}
          onConfirm={async () => void erase().catch(toastError)}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}

const ProgressLine = ({ text, done, of }: Progress) => (
  <div className="flex h-9 items-center gap-3 px-2 text-sm" role="status">
    <progress className="w-32 accent-accent" {...(of !== null && { value: done, max: of })} aria-label={text} />
    {of === null ? texts.found(text, formatExact(done)) : texts.progress(text, formatExact(done), formatExact(of))}
  </div>
);
