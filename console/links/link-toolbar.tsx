import { ArrowDownWideNarrow, CircleDot } from "lucide-react";
import { memo, type Ref } from "react";
import { Button } from "#console/ui/button.tsx";
import { type LinkSort, linkSorts } from "#contract/links.ts";
import { linkTexts as texts } from "#texts/links.ts";
import { CreatedFilter } from "./created-filter.tsx";
import { DomainFilter } from "./domain-filter.tsx";
import { FilterMenu } from "./filter-menu.tsx";
import {
  type FilterChange,
  isFiltered,
  type LinkFilter,
  noFilter,
  type Show,
  shows,
  toggleTag,
} from "./link-list-search.ts";
import { SearchBox } from "./search-box.tsx";
import { TagFilter } from "./tag-filter.tsx";
import { ViewsMenu } from "./views-menu.tsx";

const { filters } = texts;
const statusLabels: Readonly<Record<Show, string>> = filters.statuses;
const sortLabels: Readonly<Record<LinkSort, string>> = filters.sorts;

interface ToolbarProps {
  readonly filter: LinkFilter;
  /** A change may go by what is chosen already, although it is not on screen yet. */
  readonly onFilter: (change: FilterChange | ((before: LinkFilter) => FilterChange)) => void;
  readonly searchBox: Ref<HTMLInputElement>;
  readonly onLeaveDown: () => void;
}

/** Drawn again for another filter only, not for each part of the list that arrives. */
export const LinkToolbar = memo(({ filter, onFilter, searchBox, onLeaveDown }: ToolbarProps) => (
  <search className="flex flex-wrap items-center gap-2">
    <SearchBox
      value={filter.q ?? ""}
      onChange={(q) => onFilter({ q: q === "" ? undefined : q })}
      searchBox={searchBox}
      onLeaveDown={onLeaveDown}
    />
    <div className="-mx-4 flex items-center gap-2 overflow-x-auto px-4 py-0.5 max-sm:w-[calc(100%+2rem)] max-sm:[scrollbar-width:none]">
      <FilterMenu
        name={filters.status}
        icon={<CircleDot aria-hidden />}
        value={filter.show}
        none={filters.statusNone}
        labels={statusLabels}
        all={shows}
        onChoose={(show) => onFilter({ show })}
      />
      <TagFilter chosen={filter.tag ?? []} onToggle={(tag) => onFilter((before) => toggleTag(before, tag))} />
      <DomainFilter chosen={filter.domain} onChoose={(domain) => onFilter({ domain })} />
      <CreatedFilter
        filter={filter}
        onChoose={(created, range) => onFilter({ created, from: range?.from, to: range?.to })}
      />
      <FilterMenu
        name={filters.sort}
        icon={<ArrowDownWideNarrow aria-hidden />}
        value={filter.sort}
        none={sortLabels["-created_at"]}
        labels={sortLabels}
        all={linkSorts.filter((sort) => sort !== "-created_at")}
        onChoose={(sort) => onFilter({ sort })}
      />
      <ViewsMenu filter={filter} onChoose={(view) => onFilter({ ...noFilter, sort: undefined, ...view })} />
      {isFiltered(filter) && (
        <Button look="quiet" size="small" onClick={() => onFilter(noFilter)}>
          {filters.clear}
        </Button>
      )}
    </div>
  </search>
));
