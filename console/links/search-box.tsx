import { Search, X } from "lucide-react";
import { type Ref, useEffect, useRef, useState } from "react";
import { classes } from "#console/ui/classes.ts";
import { inputClasses } from "#console/ui/field.tsx";
import { Key } from "#console/ui/keys.tsx";
import { linkTexts as texts } from "#texts/links.ts";
import { SEARCH_CHARACTERS_MAX, SEARCH_CHARACTERS_MIN } from "./link-list-search.ts";

const SETTLE_MS = 200;

interface SearchBoxProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly searchBox: Ref<HTMLInputElement>;
  readonly onLeaveDown: () => void;
}

/** What is typed shows at once; the list follows when the typing pauses. */
export function SearchBox({ value, onChange, searchBox, onLeaveDown }: SearchBoxProps) {
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
        aria-label={texts.search.label}
        placeholder={texts.search.placeholder}
        value={text}
        maxLength={SEARCH_CHARACTERS_MAX}
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
            aria-label={texts.search.clear}
            className="-mr-0.5 rounded p-1 text-faint hover:text-text"
            onClick={() => setText("")}
          >
            <X className="size-4" aria-hidden />
          </button>
        )}
      </span>
      {length > 0 && length < SEARCH_CHARACTERS_MIN && (
        <p className="pointer-events-none absolute top-0 right-9 text-xs/9 text-soft" role="status">
          {texts.search.tooShort(SEARCH_CHARACTERS_MIN)}
        </p>
      )}
    </div>
  );
}
