import { ChevronDown, Tag } from "lucide-react";
import { useState } from "react";
import { inputClasses } from "#console/ui/field.tsx";
import { formatCount } from "#console/ui/format.ts";
import { Popover } from "#console/ui/popover.tsx";
import { linkTexts } from "#texts/links.ts";
import { filterClasses } from "./filter-classes.ts";
import { useTags } from "./use-tags.ts";

const { tags: texts } = linkTexts;

interface TagFilterProps {
  readonly chosen: readonly string[];
  readonly onToggle: (tag: string) => void;
}

/** Links that carry all of the chosen tags. */
export const TagFilter = ({ chosen, onToggle }: TagFilterProps) => (
  <Popover
    align="start"
    label={texts.label}
    className="w-64 p-2"
    trigger={
      <button
        type="button"
        aria-label={chosen.length === 0 ? texts.any : texts.chosen(chosen.join(", "))}
        className={filterClasses(chosen.length > 0)}
      >
        <Tag aria-hidden />
        <span className="max-w-32 truncate">{chosen.length === 0 ? texts.label : chosen.join(", ")}</span>
        <ChevronDown className="opacity-60" aria-hidden />
      </button>
    }
  >
    <TagChoices chosen={chosen} onToggle={onToggle} />
  </Popover>
);

function TagChoices({ chosen, onToggle }: TagFilterProps) {
  const [text, setText] = useState("");
  const tags = useTags(text);
  const found = tags?.map(({ tag }) => tag.toLowerCase());
  // A chosen tag stays in sight, so that it can be taken back.
  const kept = chosen.filter((tag) => text === "" && found && !found.includes(tag.toLowerCase()));
  const isChosen = (tag: string) => chosen.some((other) => other.toLowerCase() === tag.toLowerCase());
  return (
    <>
      <input
        data-first
        type="search"
        aria-label={texts.find}
        placeholder={texts.find}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          // What is shown may still be what an earlier text found.
          const first = tags?.find(({ tag }) => tag.toLowerCase().includes(text.trim().toLowerCase()));
          if (event.key === "Enter" && text.trim() !== "" && first) onToggle(first.tag);
        }}
        className={`${inputClasses} h-9! text-sm [&::-webkit-search-cancel-button]:hidden`}
      />
      <ul className="mt-1.5 max-h-64 overflow-auto" aria-label={texts.label}>
        {[...kept.map((tag) => ({ tag, links: null })), ...(tags ?? [])].map(({ tag, links }) => (
          <li key={tag}>
            <label className="flex h-9 cursor-pointer items-center gap-2.5 rounded-lg px-2 text-sm hover:bg-hover">
              <input type="checkbox" className="size-4" checked={isChosen(tag)} onChange={() => onToggle(tag)} />
              <span className="min-w-0 grow truncate">{tag}</span>
              {links !== null && <span className="text-xs text-faint">{formatCount(links)}</span>}
            </label>
          </li>
        ))}
      </ul>
      {tags && tags.length > 0 && <p className="px-2 pt-1.5 text-xs text-faint">{texts.counts}</p>}
      {tags?.length === 0 && <p className="px-2 py-3 text-sm text-soft">{text === "" ? texts.none : texts.noMatch}</p>}
    </>
  );
}
