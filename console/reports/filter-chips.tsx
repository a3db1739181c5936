import { X } from "lucide-react";
import { Button } from "#console/ui/button.tsx";
import { dimensionTexts } from "#texts/dimensions.ts";
import { reportTexts } from "#texts/reports.ts";
import { nameValue } from "./dimensions.ts";
import { useReportScope } from "./report-context.tsx";
import { filtersOf, valuesOf, withoutFilters } from "./report-search.ts";

const texts = reportTexts.filters;

/** What the report is narrowed down to; each can be taken away. */
export function FilterChips() {
  const { source, search, show, toggle } = useReportScope();
  const links = source.useNames("link", valuesOf(search, "link"));
  const chips = filtersOf(search).flatMap(([dimension, values]) => values.map((value) => ({ dimension, value })));
  if (chips.length === 0) return null;
  return (
    <div className="mb-4 flex flex-wrap items-center gap-2">
      <ul aria-label={texts.title} aria-busy={links.isAsking} className="contents">
        {chips.map(({ dimension, value }) => {
          const name = dimension === "link" ? links.nameOf(value) : nameValue(dimension, value);
          const { one } = dimensionTexts[dimension];
          return (
            <li
              key={`${dimension} ${value}`}
              className="inline-flex h-9 max-w-full items-center gap-1.5 rounded-lg border border-line-strong bg-card pr-1 pl-3 text-sm"
            >
              <span className="text-soft">{one}</span>
              <span className="truncate font-medium">{name}</span>
              <button
                type="button"
                aria-label={texts.remove(one, name)}
                onClick={() => toggle(dimension, value)}
                className="flex size-7 shrink-0 items-center justify-center rounded-md text-faint hover:bg-hover hover:text-text"
              >
                <X className="size-4" aria-hidden />
              </button>
            </li>
          );
        })}
      </ul>
      {chips.length > 1 && (
        <Button look="quiet" size="small" onClick={() => show(withoutFilters)}>
          {texts.clearAll}
        </Button>
      )}
    </div>
  );
}
