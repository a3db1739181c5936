import { type KeyboardEvent, useId, useState } from "react";
import { ChipBox } from "./chip-box.tsx";
import { classes } from "./classes.ts";
import { OptionList, optionId } from "./option-list.tsx";

export interface Choice {
  readonly value: string;
  readonly label: string;
}

const OFFERED_MAX = 7;

interface ChoicesInputProps {
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  readonly placeholder: string;
  readonly problem: string | undefined;
  /** Makes a value of a text that is none of the choices; without it there are no others. */
  readonly readText?: (text: string) => string | undefined;
  readonly noteId?: string | undefined;
}

const fold = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Those that begin with the text first; a code finds its name, too. */
function search(choices: readonly Choice[], text: string): readonly Choice[] {
  const wanted = fold(text.trim());
  const rank = ({ value, label }: Choice): number => {
    const name = fold(label);
    if (fold(value) === wanted) return 0;
    if (name.startsWith(wanted)) return 1;
    return name.includes(wanted) ? 2 : -1;
  };
  return choices
    .map((choice) => ({ choice, rank: rank(choice) }))
    .filter((found) => found.rank >= 0)
    .sort((a, b) => a.rank - b.rank)
    .map(({ choice }) => choice);
}

/** Several out of many, found by typing (combobox pattern): names are shown, values are kept. */
export function ChoicesInput(props: ChoicesInputProps) {
  const { label, choices, values, onChange, placeholder, problem, readText, noteId } = props;
  const [text, setText] = useState("");
  const [asked, setAsked] = useState(false);
  const [active, setActive] = useState(0);
  const listId = useId();
  const free = choices.filter(({ value }) => !values.includes(value));
  const offered = asked ? search(free, text).slice(0, OFFERED_MAX) : [];
  const open = offered.length > 0;
  const nameOf = (value: string): string => choices.find((choice) => choice.value === value)?.label ?? value;

  function add(value: string | undefined): void {
    if (value !== undefined && !values.includes(value)) onChange([...values, value]);
    setText("");
    setActive(0);
  }

  function press(event: KeyboardEvent<HTMLInputElement>): void {
    const { key } = event;
    // Enter then ends a syllable, not a name.
    if (event.nativeEvent.isComposing) return;
    if (key === "ArrowDown" || key === "ArrowUp") {
      event.preventDefault();
      setAsked(true);
      if (open) setActive((before) => (before + (key === "ArrowDown" ? 1 : -1) + offered.length) % offered.length);
    } else if (key === "Enter" || key === ",") {
      // Within the list Enter chooses; without one it submits the form, as in any other field.
      if (!open && text.trim() === "") return;
      event.preventDefault();
      const typed = text.trim() === "" ? undefined : readText?.(text);
      const chosen = readText ? typed : offered[active]?.value;
      if (chosen !== undefined) add(chosen);
    } else if (key === "Backspace" && text === "" && values.length > 0) {
      onChange(values.slice(0, -1));
    } else if (key === "Escape" && open) {
      event.preventDefault();
      event.stopPropagation();
      setText("");
      setAsked(false);
    }
  }

  return (
    <div className="relative min-w-0">
      <ChipBox
        chips={values.map((value) => ({ value, label: nameOf(value), removeLabel: `Remove ${nameOf(value)}` }))}
        onRemove={(value) => onChange(values.filter((other) => other !== value))}
        isWrong={problem !== undefined}
      >
        {(input) => (
          <input
            ref={input}
            type="text"
            role="combobox"
            aria-label={label}
            aria-invalid={problem !== undefined}
            aria-describedby={noteId}
            aria-expanded={open}
            aria-controls={listId}
            aria-autocomplete="list"
            aria-activedescendant={open ? optionId(listId, active) : undefined}
            value={text}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            placeholder={values.length === 0 ? placeholder : ""}
            onChange={(event) => {
              setText(event.target.value);
              setAsked(true);
              setActive(0);
            }}
            onKeyDown={press}
            onClick={() => setAsked(true)}
            onBlur={() => {
              setAsked(false);
              add(text.trim() === "" ? undefined : readText?.(text));
            }}
            className={classes(
              "h-6 grow bg-transparent px-1 text-sm outline-none",
              values.length === 0 ? "min-w-28" : "w-12 min-w-12",
            )}
          />
        )}
      </ChipBox>
      <OptionList
        id={listId}
        label={`Choices for ${label}`}
        options={offered.map(({ value, label: name }) => ({
          value,
          label: name,
          note: value === name ? undefined : value,
        }))}
        active={active}
        onChoose={add}
      />
    </div>
  );
}
