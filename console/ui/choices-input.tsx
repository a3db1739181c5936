import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { choicesTexts as texts } from "#texts/choices.ts";
import { ChipBox } from "./chip-box.tsx";
import { classes } from "./classes.ts";
import { OptionList, offerClasses, optionId } from "./option-list.tsx";
import { type Choice, findChoice, searchChoices } from "./search-choices.ts";

const OFFERED_MAX = 7;

interface ChoicesInputProps {
  /** For a label that is in sight; `label` says the same. */
  readonly id?: string;
  readonly label: string;
  readonly choices: readonly Choice[];
  readonly values: readonly string[];
  /** A small picture before the name of a value. */
  readonly iconOf?: (value: string) => ReactNode;
  /** With the text that is left in the field, since it is none of the choices or could be several. */
  readonly onChange: (values: readonly string[], leftover?: string) => void;
  readonly leftover: string;
  /** The caller keeps the last one only, so nothing is offered once there is one. */
  readonly isSingle?: boolean;
  /** As in "No matching countries." */
  readonly plural: string;
  readonly placeholder: string;
  readonly problem: string | undefined;
  /** Makes a value of a text that is none of the choices; without it there are no others. */
  readonly readText?: (text: string) => string | undefined;
  readonly noteId?: string | undefined;
}

/** Several out of many, found by typing (combobox pattern): names are shown, values are kept. */
export function ChoicesInput(props: ChoicesInputProps) {
  const { id, label, choices, values, onChange, leftover, plural, placeholder, problem, readText, noteId } = props;
  const { isSingle = false, iconOf } = props;
  const [text, setText] = useState(leftover);
  const [asked, setAsked] = useState(false);
  const [active, setActive] = useState(0);
  const listId = useId();
  const free = choices.filter(({ value }) => !values.includes(value));
  const offered = asked ? searchChoices(free, text).slice(0, OFFERED_MAX) : [];
  const open = offered.length > 0;
  const hasNoMatch = asked && !open && !readText && text.trim() !== "";
  const meant = findChoice(choices, text);
  const nameOf = (value: string): string => choices.find((choice) => choice.value === value)?.label ?? value;

  function add(value: string | undefined): void {
    if (value !== undefined && !values.includes(value)) onChange([...values, value]);
    else if (leftover !== "") onChange(values);
    setText("");
    setActive(0);
    if (isSingle) setAsked(false);
  }

  /** What was typed and not chosen is meant, too: it is taken if it can only mean one thing, and stays otherwise. */
  function leave(): void {
    setAsked(false);
    const typed = text.trim();
    const value = typed === "" ? undefined : readText ? readText(typed) : meant?.value;
    if (typed === "" || value !== undefined) add(value);
    else onChange(values, typed);
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
      if (chosen === undefined) setAsked(true);
      else add(chosen);
    } else if (key === "Backspace" && text === "" && values.length > 0) {
      onChange(values.slice(0, -1));
    } else if (key === "Escape" && (open || hasNoMatch)) {
      event.preventDefault();
      event.stopPropagation();
      add(undefined);
      setAsked(false);
    }
  }

  return (
    <div className="relative min-w-0">
      <ChipBox
        chips={values.map((value) => ({
          value,
          label: nameOf(value),
          icon: iconOf?.(value),
          removeLabel: texts.remove(nameOf(value)),
        }))}
        onRemove={(value) =>
          onChange(
            values.filter((other) => other !== value),
            leftover,
          )
        }
        isWrong={problem !== undefined}
      >
        {(input) => (
          <input
            ref={input}
            id={id}
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
              if (leftover !== "") onChange(values);
              setAsked(true);
              setActive(0);
            }}
            onKeyDown={press}
            onClick={() => setAsked(true)}
            onBlur={leave}
            className={classes(
              "h-6 grow bg-transparent px-1 outline-none",
              values.length === 0 ? "min-w-28" : "w-12 min-w-12",
            )}
          />
        )}
      </ChipBox>
      <OptionList
        id={listId}
        label={texts.offered(label)}
        options={offered.map(({ value, label: name }) => ({
          value,
          label: name,
          icon: iconOf?.(value),
          note: value === name ? undefined : value,
        }))}
        active={active}
        onChoose={add}
      />
      <div aria-live="polite">
        {hasNoMatch && (
          <p className={classes(offerClasses, "px-3.5 py-2.5 text-sm text-soft")}>
            {meant ? texts.isChosen(meant.label) : texts.noMatch(plural)}
          </p>
        )}
      </div>
    </div>
  );
}
