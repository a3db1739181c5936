import { Plus, Tag } from "lucide-react";
import { type FormEvent, useState } from "react";
import { classes } from "#console/ui/classes.ts";
import { inputClasses } from "#console/ui/field.tsx";
import { formatCount } from "#console/ui/format.ts";
import { Popover, useClosePopover } from "#console/ui/popover.tsx";
import type { TagChange } from "#contract/link-record.ts";
import { TAG_LENGTH_MAX } from "#contract/tag-name.ts";
import { bulkTexts } from "#texts/link-bulk.ts";
import { BulkButton } from "./bulk-button.tsx";
import { useTagTint } from "./use-tag-colors.ts";
import { useTags } from "./use-tags.ts";

type Mode = "add" | "remove";
const { tags: texts } = bulkTexts;
const modes: Readonly<Record<Mode, string>> = texts.modes;

/** Adds a tag to all selected links, or takes one from them. */
export const BulkTags = ({ onChange }: { readonly onChange: (change: TagChange) => void }) => (
  <Popover
    align="start"
    label={texts.label}
    // On a phone there is room above the bar, but on neither side of the button.
    className="w-64 p-2 [position-area:top_span-all]"
    trigger={<BulkButton label={texts.button} icon={Tag} />}
  >
    <TagPicker onChange={onChange} />
  </Popover>
);

function TagPicker({ onChange }: { readonly onChange: (change: TagChange) => void }) {
  const [mode, setMode] = useState<Mode>("add");
  const [text, setText] = useState("");
  const close = useClosePopover();
  const tintOf = useTagTint();
  const tags = useTags(text) ?? [];
  const typed = text.trim();
  const isNew = mode === "add" && typed !== "" && !tags.some(({ tag }) => tag === typed.toLowerCase());

  function apply(tag: string): void {
    close();
    onChange(mode === "add" ? { add: [tag] } : { remove: [tag] });
  }
  function submit(event: FormEvent): void {
    event.preventDefault();
    if (mode === "add" && typed !== "") apply(typed);
    else if (tags[0] && typed !== "") apply(tags[0].tag);
  }
  return (
    <form onSubmit={submit}>
      <fieldset className="mb-2 grid grid-cols-2 gap-1 rounded-lg bg-sunken p-1" aria-label={texts.mode}>
        {(Object.keys(modes) as Mode[]).map((name) => (
          <label
            key={name}
            className="flex h-7 cursor-pointer items-center justify-center rounded-md text-sm text-soft has-checked:bg-card has-checked:font-medium has-checked:text-text has-checked:shadow-card has-focus-visible:outline-2 outline-accent"
          >
            <input
              type="radio"
              name="mode"
              className="sr-only"
              checked={mode === name}
              onChange={() => setMode(name)}
            />
            {modes[name]}
          </label>
        ))}
      </fieldset>
      <input
        data-first
        type="text"
        aria-label={mode === "add" ? texts.findOrCreate : texts.find}
        placeholder={mode === "add" ? texts.findOrCreate : texts.find}
        maxLength={TAG_LENGTH_MAX}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
        className={classes(inputClasses, "h-9! text-sm")}
      />
      <ul className="mt-1.5 max-h-56 overflow-auto" aria-label={texts.list}>
        {isNew && (
          <li>
            <button type="submit" className={rowClasses}>
              <Plus className="size-4 shrink-0 text-faint" aria-hidden />
              <span className="truncate">{texts.create(typed)}</span>
            </button>
          </li>
        )}
        {tags.map(({ tag, links }) => (
          <li key={tag}>
            <button type="button" className={rowClasses} onClick={() => apply(tag)}>
              <span aria-hidden style={tintOf(tag)} className="tinted size-2.5 shrink-0 rounded-full bg-current!" />
              <span className="min-w-0 grow truncate">{tag}</span>
              <span className="text-xs text-faint">{formatCount(links)}</span>
            </button>
          </li>
        ))}
      </ul>
      {tags.length === 0 && !isNew && (
        <p className="px-2 py-3 text-sm text-soft">{typed === "" ? texts.none : texts.noMatch}</p>
      )}
    </form>
  );
}

const rowClasses = "flex h-9 w-full items-center gap-2.5 rounded-lg px-2 text-left text-sm hover:bg-hover";
