import { type KeyboardEvent, useId, useState } from "react";
import { ChipBox } from "#console/ui/chip-box.tsx";
import { classes } from "#console/ui/classes.ts";
import { Field } from "#console/ui/field.tsx";
import { OptionList, optionId } from "#console/ui/option-list.tsx";
import { TAGS_MAX } from "#contract/link-record.ts";
import { TAG_LENGTH_MAX } from "#contract/tag-name.ts";
import { linkFormTexts as texts } from "#texts/link-form.ts";
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
      label={texts.fields.tags}
      aside={tags.length >= TAGS_MAX ? texts.tags.limit(TAGS_MAX) : texts.optional}
      error={problem}
      className={classes("relative", wide ? "" : "sm:col-span-2")}
    >
      {(props) => (
        <>
          <ChipBox
            chips={tags.map((tag) => ({ value: tag, label: tag, removeLabel: texts.tags.remove(tag) }))}
            onRemove={(tag) => onChange(tags.filter((other) => other !== tag))}
            isWrong={problem !== undefined}
          >
            {(input) => (
              <input
                {...props}
                ref={input}
                type="text"
                role="combobox"
                aria-expanded={open}
                aria-controls={listId}
                aria-autocomplete="list"
                aria-activedescendant={open && active >= 0 ? optionId(listId, active) : undefined}
                value={text}
                maxLength={TAG_LENGTH_MAX}
                autoComplete="off"
                placeholder={tags.length === 0 ? texts.tags.placeholder : ""}
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
                className="h-6 min-w-24 grow bg-transparent px-1 outline-none"
              />
            )}
          </ChipBox>
          <OptionList
            id={listId}
            label={texts.tags.inUse}
            options={open ? offered.map(({ tag, links }) => ({ value: tag, label: tag, note: links })) : []}
            active={active}
            onChoose={add}
          />
        </>
      )}
    </Field>
  );
}
