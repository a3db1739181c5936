import { Trash2, X } from "lucide-react";
import { useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { ConfirmDialog } from "#console/ui/confirm-dialog.tsx";
import { formatExact, plural } from "#console/ui/format.ts";
import { toastError } from "#console/ui/toast.tsx";
import type { Link, TagChange } from "#contract/link-record.ts";
import { type LinkAction, type LinkCount, linkActions } from "#contract/links.ts";
import { BulkFailures } from "./bulk-failures.tsx";
import { BulkTags } from "./bulk-tags.tsx";
import { actionsOf, actionWords, type LinkChanges } from "./link-changes.ts";
import type { LinkFilter } from "./link-list-search.ts";
import { actionIcons } from "./link-menu.tsx";
import { type Progress, useBulkChanges } from "./use-bulk-changes.ts";
import type { Selection } from "./use-selection.ts";

interface BulkBarProps {
  readonly filter: LinkFilter;
  /** How many links the filter matches. */
  readonly count: LinkCount | undefined;
  /** Whether the list has all of them. */
  readonly isComplete: boolean;
  readonly selection: Selection;
  readonly changes: LinkChanges;
}

/** What can be done with all selected links at once. */
export function BulkBar({ filter, count, isComplete, selection, changes }: BulkBarProps) {
  const bulk = useBulkChanges();
  const [isDeleting, setDeleting] = useState(false);
  const { selected, isAll, has, clear, select, selectAll } = selection;
  const { progress } = bulk;
  // What is no longer selected is no longer a matter of concern.
  const failures = bulk.failures.filter(({ item }) => has(item.id));
  if (selected.length === 0 && !progress) return null;

  const find = async (): Promise<readonly Link[]> => (isAll && !isComplete ? bulk.find(filter) : selected);

  async function act(action: LinkAction): Promise<void> {
    const { doing, done } = actionWords[action];
    const links = (await find()).filter((link) => actionsOf(link).includes(action));
    // What failed stays selected, so that it can be tried again.
    select(await bulk.run(links, { action }, { doing, done: (what) => `${done} ${what}.` }));
  }

  async function tag(tags: TagChange): Promise<void> {
    const { add: [added] = [], remove: [removed] = [] } = tags;
    const done = (what: string) => (added ? `Tagged ${what} “${added}”.` : `Removed “${removed}” from ${what}.`);
    const links = await find();
    const failed = await bulk.run(links, { tags }, { doing: "Tagging", done });
    // Tagging is rarely the last thing to do with a selection.
    if (failed.length > 0) select(failed);
  }

  async function deleteAll(): Promise<void> {
    setDeleting(false);
    const links = await find();
    select(await bulk.run(links, { action: "delete" }, { doing: "Deleting", done: (what) => `Deleted ${what}.` }));
  }

  const total = count && `${formatExact(count.count)}${count.at_least ? "+" : ""}`;
  const actions = linkActions.filter((action) => selected.some((link) => actionsOf(link).includes(action)));
  return (
    <section
      aria-label="Selected links"
      className="sticky bottom-4 z-30 mx-auto mt-4 w-fit max-w-full rounded-2xl border border-line bg-card p-2 shadow-float max-lg:bottom-20"
    >
      <BulkFailures failures={failures} />
      {progress ? (
        <ProgressLine {...progress} />
      ) : (
        <div className="flex items-center gap-1 overflow-x-auto">
          <Button look="quiet" size="icon" aria-label="Clear selection" onClick={clear}>
            <X className="size-4" aria-hidden />
          </Button>
          <span className="text-sm font-medium whitespace-nowrap" role="status">
            {isAll ? `All ${total ?? plural(selected.length, "link")} selected` : `${selected.length} selected`}
          </span>
          {!isAll && !isComplete && total && (
            <Button look="quiet" size="small" className="text-accent!" onClick={selectAll}>
              Select all {total}
            </Button>
          )}
          <span className="mx-1 h-5 border-l border-line" aria-hidden />
          <BulkTags onChange={(change) => void tag(change).catch(toastError)} />
          {actions.map((action) => {
            const Icon = actionIcons[action];
            return (
              <Button key={action} look="quiet" size="small" onClick={() => void act(action).catch(toastError)}>
                <Icon className="size-4" aria-hidden />
                <span className="max-sm:sr-only">{actionWords[action].label}</span>
              </Button>
            );
          })}
          <Button
            look="quiet"
            size="small"
            className="text-bad! hover:bg-bad-soft!"
            onClick={() => {
              if (isAll && !isComplete) return setDeleting(true);
              changes.remove(selected);
              clear();
            }}
          >
            <Trash2 className="size-4" aria-hidden />
            <span className="max-sm:sr-only">Delete</span>
          </Button>
        </div>
      )}
      {isDeleting && (
        <ConfirmDialog
          title={`Delete ${total} links?`}
          confirmLabel="Delete links"
          onConfirm={async () => void deleteAll().catch(toastError)}
          onClose={() => setDeleting(false)}
        >
          All links that match, also those further down the list. Their addresses stop working at once.
        </ConfirmDialog>
      )}
    </section>
  );
}

const ProgressLine = ({ text, done, of }: Progress) => (
  <div className="flex h-9 items-center gap-3 px-2 text-sm" role="status">
    <progress className="w-32 accent-accent" {...(of !== null && { value: done, max: of })} aria-label={text} />
    {of === null ? `${text}: ${formatExact(done)}` : `${text} ${formatExact(done)} of ${formatExact(of)}`}
  </div>
);
