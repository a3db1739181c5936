import { Bookmark, ChevronDown } from "lucide-react";
import { type FormEvent, useCallback, useState, useSyncExternalStore } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { Button } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { inputClasses } from "#console/ui/field.tsx";
import { ignoreSecondClick } from "#console/ui/ignore-second-click.ts";
import { Popover, useClosePopover } from "#console/ui/popover.tsx";
import { linkTexts } from "#texts/links.ts";
import { filterClasses } from "./filter-classes.ts";
import type { LinkFilter } from "./link-list-search.ts";
import { SavedChoice } from "./saved-choice.tsx";
import { isSameFilter, readViews, type SavedView, VIEW_NAME_MAX, withoutView, withView } from "./saved-views.ts";

const { views: texts } = linkTexts;

interface ViewsMenuProps {
  readonly filter: LinkFilter;
  readonly onChoose: (filter: LinkFilter) => void;
}

/** Lists to come back to. */
export function ViewsMenu({ filter, onChoose }: ViewsMenuProps) {
  const [views, save] = useViews();
  const current = views.find((view) => isSameFilter(view.filter, filter));
  return (
    <Popover
      align="start"
      label={texts.label}
      className="w-72 p-2"
      trigger={
        <button
          type="button"
          aria-label={current ? texts.chosen(current.name) : texts.label}
          className={filterClasses(current !== undefined)}
        >
          <Bookmark aria-hidden />
          <span className="max-w-32 truncate">{current?.name ?? texts.label}</span>
          <ChevronDown className="opacity-60" aria-hidden />
        </button>
      }
    >
      <ViewChoices views={views} onSave={save} current={current} filter={filter} onChoose={onChoose} />
    </Popover>
  );
}

interface ViewChoicesProps extends ViewsMenuProps {
  readonly views: readonly SavedView[];
  readonly current: SavedView | undefined;
  readonly onSave: (views: readonly SavedView[]) => void;
}

function ViewChoices({ views, current, filter, onSave, onChoose }: ViewChoicesProps) {
  const [name, setName] = useState("");
  const close = useClosePopover();
  const canSave = Object.keys(filter).length > 0 && current === undefined;
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (name.trim() === "") return;
    ignoreSecondClick();
    onSave(withView(views, { name: name.trim(), filter }));
    close();
  }
  return (
    <>
      {views.length > 0 && (
        <ul aria-label={texts.saved} className="mb-2 max-h-64 overflow-auto">
          {views.map((view) => (
            <SavedChoice
              key={view.name}
              name={view.name}
              isCurrent={view === current}
              onChoose={() => {
                close();
                onChoose(view.filter);
              }}
              deleteLabel={texts.delete(view.name)}
              onDelete={() => {
                ignoreSecondClick();
                onSave(withoutView(views, view.name));
              }}
            />
          ))}
        </ul>
      )}
      {canSave ? (
        <form onSubmit={submit} className="flex gap-2">
          <input
            data-first
            type="text"
            aria-label={texts.name}
            placeholder={texts.saveAs}
            maxLength={VIEW_NAME_MAX}
            autoComplete="off"
            value={name}
            onChange={(event) => setName(event.target.value)}
            className={classes(inputClasses, "h-9! text-sm")}
          />
          <Button type="submit" look="primary" size="small" className="h-9!" disabled={name.trim() === ""}>
            {texts.save}
          </Button>
        </form>
      ) : (
        <p className="px-2 py-1.5 text-sm text-soft">{current ? texts.isSaved : texts.howTo}</p>
      )}
      <p className="px-2 pt-2 text-xs text-faint">{texts.keptHere}</p>
    </>
  );
}

const CHANGED = "kurz-views";

/** Kept by the browser: a view is a habit of one person, and its address can be shared with others. */
function useViews(): readonly [readonly SavedView[], (views: readonly SavedView[]) => void] {
  const { account } = useWorkspace();
  const key = `kurz.views.${account.id}`;
  const subscribe = useCallback((listener: () => void) => {
    // Another tab, and this one.
    addEventListener("storage", listener);
    addEventListener(CHANGED, listener);
    return () => {
      removeEventListener("storage", listener);
      removeEventListener(CHANGED, listener);
    };
  }, []);
  const text = useSyncExternalStore(subscribe, () => localStorage.getItem(key));
  const save = useCallback(
    (views: readonly SavedView[]) => {
      localStorage.setItem(key, JSON.stringify(views));
      dispatchEvent(new Event(CHANGED));
    },
    [key],
  );
  return [readViews(text), save];
}
