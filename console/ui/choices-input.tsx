import { X } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { classes } from "./classes.ts";

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
  const input = useRef<HTMLInputElement>(null);
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
      {/* biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: a click beside the text goes to the text */}
      <div
        onClick={() => input.current?.focus()}
        className={classes(
          "flex min-h-10 flex-wrap items-center gap-1.5 rounded-lg border bg-card px-2 py-1.5 hover:border-faint has-[input:focus-visible]:outline-2 has-[input:focus-visible]:outline-offset-2 outline-accent",
          problem ? "border-bad" : "border-line-strong",
        )}
      >
        {values.map((value) => (
          <span key={value} className="flex max-w-full items-center gap-1 rounded-md bg-sunken pl-2 text-sm">
            <span className="truncate">{nameOf(value)}</span>
            <button
              type="button"
              aria-label={`Remove ${nameOf(value)}`}
              className="flex size-6 shrink-0 items-center justify-center rounded text-faint hover:text-text"
              onClick={() => {
                onChange(values.filter((other) => other !== value));
                input.current?.focus();
              }}
            >
              <X className="size-3.5" aria-hidden />
            </button>
          </span>
        ))}
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
          aria-activedescendant={open ? `${listId}-${active}` : undefined}
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
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label={`Choices for ${label}`}
        className={classes(
          "absolute inset-x-0 z-20 mt-1 rounded-xl border border-line bg-card p-1 shadow-float",
          !open && "hidden",
        )}
      >
        {offered.map((choice, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus (combobox)
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text
          <div
            key={choice.value}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            // The text must not lose the focus before the click is over.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => add(choice.value)}
            className={classes(
              "flex h-8 cursor-pointer items-center justify-between gap-3 rounded-lg px-2.5 text-sm hover:bg-hover",
              index === active && "bg-hover",
            )}
          >
            <span className="truncate">{choice.label}</span>
            {choice.value !== choice.label && <span className="text-xs text-faint">{choice.value}</span>}
          </div>
        ))}
      </div>
    </div>
  );
}
