import type { ReactNode } from "react";
import { classes } from "./classes.ts";

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Before it. */
  readonly icon?: ReactNode;
  /** In small letters beside it. */
  readonly note?: string | number | undefined;
}

interface OptionListProps {
  readonly id: string;
  readonly label: string;
  /** Nothing to offer: nothing to see. */
  readonly options: readonly Option[];
  /** The one that Enter would choose; -1 for none. */
  readonly active: number;
  readonly onChoose: (value: string) => void;
}

/** Where `aria-activedescendant` of the field points to. */
export const optionId = (listId: string, index: number): string => `${listId}-${index}`;

/** Below the field, over what follows it. */
export const offerClasses = "absolute inset-x-0 z-20 mt-1 rounded-xl border border-line bg-card p-1 shadow-float";

/** What a field offers while one types (combobox pattern): the field keeps the focus and has the keys. */
export const OptionList = ({ id, label, options, active, onChoose }: OptionListProps) => (
  <div id={id} role="listbox" aria-label={label} className={classes(offerClasses, options.length === 0 && "hidden")}>
    {options.map((option, index) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the text keeps the focus (combobox)
      // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the text
      <div
        key={option.value}
        id={optionId(id, index)}
        role="option"
        aria-selected={index === active}
        // The text must not lose the focus before the click is over.
        onMouseDown={(event) => event.preventDefault()}
        onClick={() => onChoose(option.value)}
        className={classes(
          "flex h-8 cursor-pointer items-center justify-between gap-3 rounded-lg px-2.5 text-sm hover:bg-hover",
          index === active && "bg-hover",
        )}
      >
        <span className="flex min-w-0 items-center gap-2">
          {option.icon}
          <span className="truncate">{option.label}</span>
        </span>
        {option.note !== undefined && <span className="text-xs text-faint">{option.note}</span>}
      </div>
    ))}
  </div>
);
