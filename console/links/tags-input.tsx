import { X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { classes } from "#console/ui/classes.ts";
import { Field } from "#console/ui/field.tsx";
import { TAGS_MAX } from "#contract/link-record.ts";
import { useTags } from "./use-tags.ts";

const SUGGESTIONS_MAX = 6;

interface TagsInputProps {
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
  readonly problem: string | undefined;
  readonly wide: boolean;
}

const same = (a: string, b: string): boolean => a.normalize("NFC").toLowerCase() === b.normalize("NFC").toLowerCase();

/** Tags as one types them; Enter or a comma ends one, and those in use are offered. */
export function TagsInput({ tags, onChange, problem, wide }: TagsInputProps) {
  const [text, setText] = useState("");
  const [focused, setFocused] = useState(false);
  const [asked, setAsked] = useState(false);
  const [active, setActive] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const listId = useId();
  const known = useTags(text, focused) ?? [];
  const offered = known.filter(({ tag }) => !tags.some((other) => same(other, tag))).slice(0, SUGGESTIONS_MAX);
  const open = focused && (asked || text !== "") && offered.length > 0 && tags.length < TAGS_MAX;

  function add(...texts: readonly string[]): void {
    const next = [...tags];
    for (const tag of texts.map((one) => one.trim())) {
      if (tag !== "" && !next.some((other) => same(other, tag))) next.push(tag);
    }
    if (next.length !== tags.length) onChange(next.slice(0, TAGS_MAX));
    setText("");
    setActive(-1);
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    const { key } = event;
    // Enter then ends a syllable, not a tag.
    if (event.nativeEvent.isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      setAsked(true);
      if (!open) return;
      const step = key === "ArrowDown" ? 1 : -1;
      setActive((before) => ((before + 1 + step + offered.length + 1) % (offered.length + 1)) - 1);
    } else if (key === "Enter" || key === ",") {
      const chosen = open ? offered[active]?.tag : undefined;
      if (chosen === undefined && text.trim() === "" && key === "Enter") return;
      event.preventDefault();
      add(chosen ?? text);
    } else if (key === "Backspace" && text === "" && tags.length > 0) {
      onChange(tags.slice(0, -1));
    } else if (key === "Escape" && open) {
      event.preventDefault();
      event.stopPropagation();
      setText("");
      setAsked(false);
      setActive(-1);
    }
  }

  return (
    <Field
      label="Tags"
      aside={tags.length >= TAGS_MAX ? "no more fit" : "optional"}
      error={problem}
      className={classes("relative", wide ? "" : "sm:col-span-2")}
    >
      {(props) => (
        <>
          {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a click beside the text goes to the text */}
          <div
            onClick={() => input.current?.focus()}
            className="flex min-h-10 flex-wrap items-center gap-1.5 rounded-lg border border-line-strong bg-card px-2 py-1.5 hover:border-faint has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 outline-accent"
          >
            {tags.map((tag) => (
              <span key={tag} className="flex max-w-full items-center gap-1 rounded-md bg-sunken pl-2 text-sm">
                <span className="truncate">{tag}</span>
                <button
                  type="button"
                  aria-label={`Remove tag ${tag}`}
                  className="flex size-6 items-center justify-center rounded text-faint hover:text-text"
                  onClick={() => onChange(tags.filter((other) => other !== tag))}
                >
                  <X className="size-3.5" aria-hidden />
                </button>
              </span>
            ))}
            <input
              {...props}
              ref={input}
              type="text"
              role="combobox"
              aria-expanded={open}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={open && active >= 0 ? `${listId}-${active}` : undefined}
              value={text}
              maxLength={50}
              autoComplete="off"
              placeholder={tags.length === 0 ? "Type and press Enter" : ""}
              onChange={(event) => {
                const parts = event.target.value.split(",");
                if (parts.length > 1) add(...parts);
                else setText(event.target.value);
              }}
              onKeyDown={press}
              onFocus={() => setFocused(true)}
              onClick={() => setAsked(true)}
              onBlur={() => {
                setFocused(false);
                setAsked(false);
                add(text);
              }}
              className="h-6 min-w-24 grow bg-transparent px-1 text-sm outline-none"
            />
          </div>
          <div
            id={listId}
            role="listbox"
            aria-label="Tags in use"
            className={classes(
              "absolute inset-x-0 z-10 mt-1 rounded-xl border border-line bg-card p-1 shadow-float",
              !open && "hidden",
            )}
          >
            {offered.map(({ tag, links }, index) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus (combobox)
              // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text
              <div
                key={tag}
                id={`${listId}-${index}`}
                role="option"
                aria-selected={index === active}
                // The text must not lose the focus before the click is over.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => add(tag)}
                className={classes(
                  "flex h-8 cursor-pointer items-center justify-between gap-3 rounded-lg px-2.5 text-sm hover:bg-hover",
                  index === active && "bg-hover",
                )}
              >
                <span className="truncate">{tag}</span>
                <span className="text-xs text-faint">{links}</span>
              </div>
            ))}
          </div>
        </>
      )}
    </Field>
  );
}
