import type { LinkCount } from "#contract/links.ts";
import { linkTexts as texts } from "#texts/links.ts";
import { countText } from "./count-text.ts";
import { DisplayMenu } from "./display-menu.tsx";
import type { Selection } from "./use-selection.ts";

interface ListHeadProps {
  readonly count: { readonly shown?: LinkCount; readonly all?: LinkCount };
  /** Left out where nothing can be selected. */
  readonly selection?: Selection | undefined;
  readonly loaded: number;
}

/** Above the rows: how many links there are, and a box that selects them. */
export function ListHead({ count: { shown, all }, selection, loaded }: ListHeadProps) {
  return (
    <div className="mt-2 flex h-7 items-center gap-3 px-3 sm:gap-4 sm:px-4">
      {selection && loaded > 0 && <SelectLoaded selection={selection} loaded={loaded} />}
      <p role="status" aria-label={texts.count.label} className="text-sm text-soft">
        {shown && countText(shown, all)}
      </p>
      <span className="ml-auto">
        <DisplayMenu />
      </span>
    </div>
  );
}

function SelectLoaded({ selection, loaded }: { readonly selection: Selection; readonly loaded: number }) {
  const { isAll, selected, clear, selectLoaded } = selection;
  const isFull = isAll || selected.length === loaded;
  return (
    <label className="-m-2.5 flex cursor-pointer p-2.5">
      <input
        type="checkbox"
        className="size-4 cursor-pointer"
        aria-label={texts.count.selectAll}
        ref={(box) => {
          // Browsers have no attribute for it.
          if (box) box.indeterminate = selected.length > 0 && !isFull;
        }}
        checked={isFull}
        onChange={isFull ? clear : selectLoaded}
      />
    </label>
  );
}
