import { ArrowDownWideNarrow, CalendarDays, ChevronDown, CircleDot, Search, X } from "lucide-react";
import { type ReactNode, type Ref, useEffect, useRef, useState } from "react";
import { buttonClasses } from "#console/ui/button.tsx";
import { classes } from "#console/ui/classes.ts";
import { inputClasses } from "#console/ui/field.tsx";
import { Key } from "#console/ui/keys.tsx";
import { Menu, MenuItem } from "#console/ui/menu.tsx";
import { type LinkSort, linkSorts } from "#contract/links.ts";
import { filterClasses } from "./filter-classes.ts";
import {
  type Age,
  ages,
  isFiltered,
  type LinkFilter,
  SEARCH_CHARACTERS_MIN,
  type Show,
  shows,
} from "./link-list-search.ts";
import { TagFilter } from "./tag-filter.tsx";

const SETTLE_MS = 200;

const showLabels: Readonly<Record<Show, string>> = {
  active: "Active",
  paused: "Paused",
  archived: "Archived",
  expired: "Expired",
  blocked: "Blocked",
  all: "All links",
};
const ageLabels: Readonly<Record<Age, string>> = {
  today: "Today",
  "7d": "Last 7 days",
  "30d": "Last 30 days",
  "90d": "Last 90 days",
  "365d": "Last 12 months",
};
const sortLabels: Readonly<Record<LinkSort, string>> = {
  "-created_at": "Newest first",
  created_at: "Oldest first",
  "-updated_at": "Changed last",
  updated_at: "Unchanged longest",
  "-click_count": "Most clicks",
  "-last_clicked_at": "Clicked last",
};

interface ToolbarProps {
  readonly filter: LinkFilter;
  readonly onFilter: (change: { readonly [K in keyof LinkFilter]: LinkFilter[K] | undefined }) => void;
  readonly searchBox: Ref<HTMLInputElement>;
  readonly onLeaveDown: () => void;
}

export function LinkToolbar({ filter, onFilter, searchBox, onLeaveDown }: ToolbarProps) {
  return (
    <search className="mb-4 flex flex-wrap items-center gap-2">
      <SearchBox
        value={filter.q ?? ""}
        onChange={(q) => onFilter({ q: q === "" ? undefined : q })}
        searchBox={searchBox}
        onLeaveDown={onLeaveDown}
      />
      <div className="-mx-4 flex items-center gap-2 overflow-x-auto px-4 py-0.5 max-sm:w-[calc(100%+2rem)] max-sm:[scrollbar-width:none]">
        <Choice
          name="Status"
          icon={<CircleDot aria-hidden />}
          value={filter.show}
          none="Active and paused"
          labels={showLabels}
          all={shows}
          onChoose={(show) => onFilter({ show })}
        />
        <TagFilter chosen={filter.tag ?? []} onChange={(tag) => onFilter({ tag: tag.length > 0 ? tag : undefined })} />
        <Choice
          name="Created"
          icon={<CalendarDays aria-hidden />}
          value={filter.created}
          none="Any time"
          labels={ageLabels}
          all={ages}
          onChoose={(created) => onFilter({ created })}
        />
        <Choice
          name="Sort"
          icon={<ArrowDownWideNarrow aria-hidden />}
          value={filter.sort}
          none={sortLabels["-created_at"]}
          labels={sortLabels}
          all={linkSorts.filter((sort) => sort !== "-created_at")}
          onChoose={(sort) => onFilter({ sort })}
        />
        {isFiltered(filter) && (
          <button
            type="button"
            className={buttonClasses({ look: "quiet", size: "small" })}
            onClick={() => onFilter({ q: undefined, show: undefined, tag: undefined, created: undefined })}
          >
            Clear
          </button>
        )}
      </div>
    </search>
  );
}

interface ChoiceProps<T extends string> {
  readonly name: string;
  readonly icon: ReactNode;
  readonly value: T | undefined;
  /** What holds while nothing is chosen. */
  readonly none: string;
  readonly labels: Readonly<Record<T, string>>;
  readonly all: readonly T[];
  readonly onChoose: (value: T | undefined) => void;
}

function Choice<T extends string>({ name, icon, value, none, labels, all, onChoose }: ChoiceProps<T>) {
  const label = value === undefined ? none : labels[value];
  return (
    <Menu
      align="start"
      label={name}
      trigger={
        <button type="button" aria-label={`${name}: ${label}`} className={filterClasses(value !== undefined)}>
          {icon}
          {value === undefined ? name : label}
          <ChevronDown className="opacity-60" aria-hidden />
        </button>
      }
    >
      <MenuItem chosen={value === undefined} onSelect={() => onChoose(undefined)}>
        {none}
      </MenuItem>
      {all.map((item) => (
        <MenuItem key={item} chosen={item === value} onSelect={() => onChoose(item)}>
          {labels[item]}
        </MenuItem>
      ))}
    </Menu>
  );
}

interface SearchBoxProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly searchBox: Ref<HTMLInputElement>;
  readonly onLeaveDown: () => void;
}

/** What is typed shows at once; the list follows when the typing pauses. */
function SearchBox({ value, onChange, searchBox, onLeaveDown }: SearchBoxProps) {
  const [text, setText] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    // The address was changed by something else, as by going back.
    if (value !== sent.current) setText(value);
    sent.current = value;
  }, [value]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      onChange(text);
    }, SETTLE_MS);
    return () => clearTimeout(timer);
  }, [text, onChange]);
  const length = [...text.trim()].length;
  return (
    <div className="relative w-full sm:w-auto sm:min-w-56 sm:grow">
      <Search className="pointer-events-none absolute top-2.5 left-3 size-4 text-faint" aria-hidden />
      <input
        ref={searchBox}
        type="search"
        aria-label="Search links"
        placeholder="Search by slug, title or destination"
        value={text}
        maxLength={100}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") {
            event.preventDefault();
            onLeaveDown();
          } else if (event.key === "Escape") {
            if (text === "") event.currentTarget.blur();
            setText("");
          }
        }}
        className={classes(inputClasses, "h-9! pr-10 pl-9 text-sm [&::-webkit-search-cancel-button]:hidden")}
      />
      <span className="absolute top-2 right-2.5 flex h-5 items-center">
        {text === "" ? (
          <span className="max-lg:hidden" aria-hidden>
            <Key>/</Key>
          </span>
        ) : (
          <button
            type="button"
            aria-label="Clear search"
            className="-mr-0.5 rounded p-1 text-faint hover:text-text"
            onClick={() => setText("")}
          >
            <X className="size-4" aria-hidden />
          </button>
        )}
      </span>
      {length > 0 && length < SEARCH_CHARACTERS_MIN && (
        <p className="absolute top-full left-1 z-10 mt-1 rounded-md bg-card px-1 text-xs text-soft" role="status">
          Type {SEARCH_CHARACTERS_MIN} characters or more.
        </p>
      )}
    </div>
  );
}
