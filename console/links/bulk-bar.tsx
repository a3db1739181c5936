import { Trash2, X } from "lucide-react";
import { useState } from "react";
import { Button } from "#console/ui/button.tsx";
import { plural } from "#console/ui/format.ts";
import { toast } from "#console/ui/toast.tsx";
import type { Link } from "#contract/link-record.ts";
import { type LinkAction, linkActions } from "#contract/links.ts";
import { actionsOf, actionWords, type LinkChanges } from "./link-changes.ts";
import { actionIcons } from "./link-menu.tsx";
import { type Failure, runAll } from "./run-all.ts";
import type { Selection } from "./use-selection.ts";

interface BulkBarProps {
  readonly selection: Selection;
  readonly changes: LinkChanges;
}

interface Progress {
  readonly text: string;
  readonly done: number;
  readonly of: number;
}

/** What can be done with all chosen links at once. */
export function BulkBar({ selection, changes }: BulkBarProps) {
  const [progress, setProgress] = useState<Progress | null>(null);
  const [failures, setFailures] = useState<readonly Failure<Link>[]>([]);
  const { ids, chosen, clear, choose } = selection;
  // What is no longer chosen is no longer a matter of concern.
  const shownFailures = failures.filter(({ item }) => ids.has(item.id));
  if (chosen.length === 0 && !progress) return null;

  async function run(action: LinkAction): Promise<void> {
    const links = chosen.filter((link) => actionsOf(link).includes(action));
    const { doing, done } = actionWords[action];
    const show = (count: number) => setProgress({ text: doing, done: count, of: links.length });
    show(0);
    const { failures: failed } = await runAll(links, (link) => changes.change(link, action), { onProgress: show });
    setProgress(null);
    setFailures(failed);
    // What failed stays chosen, so that it can be tried again.
    choose(failed.map(({ item }) => item));
    const count = links.length - failed.length;
    if (count > 0) toast(`${done} ${plural(count, "link")}.`);
  }

  const actions = linkActions.filter((action) => chosen.some((link) => actionsOf(link).includes(action)));
  return (
    <section
      aria-label="Chosen links"
      className="sticky bottom-4 z-30 mx-auto mt-4 w-fit max-w-full rounded-2xl border border-line bg-card p-2 shadow-float max-lg:bottom-20"
    >
      {shownFailures.length > 0 && (
        <div role="alert" className="mb-2 max-h-40 overflow-auto rounded-lg bg-bad-soft px-3 py-2 text-sm text-bad">
          <p className="font-medium">{plural(shownFailures.length, "link")} could not be changed:</p>
          <ul>
            {shownFailures.map(({ item, error }) => (
              <li key={item.id} className="truncate">
                /{item.slug}: {error.message}
              </li>
            ))}
          </ul>
        </div>
      )}
      {progress ? (
        <div className="flex h-9 items-center gap-3 px-2 text-sm" role="status">
          <progress className="w-32 accent-accent" value={progress.done} max={progress.of} aria-label={progress.text} />
          {progress.text} {progress.done} of {progress.of}
        </div>
      ) : (
        <div className="flex items-center gap-1 overflow-x-auto">
          <Button look="quiet" size="icon" aria-label="Choose none" onClick={clear}>
            <X className="size-4" aria-hidden />
          </Button>
          <span className="mr-2 text-sm font-medium whitespace-nowrap" role="status">
            {chosen.length} chosen
          </span>
          {actions.map((action) => {
            const Icon = actionIcons[action];
            return (
              <Button key={action} look="quiet" size="small" onClick={() => void run(action)}>
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
              changes.remove(chosen);
              clear();
            }}
          >
            <Trash2 className="size-4" aria-hidden />
            <span className="max-sm:sr-only">Delete</span>
          </Button>
        </div>
      )}
    </section>
  );
}
