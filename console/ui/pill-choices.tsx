import { classes } from "./classes.ts";

interface PillChoicesProps {
  readonly label: string;
  readonly choices: readonly { readonly value: string; readonly label: string }[];
  readonly values: readonly string[];
  readonly onChange: (values: readonly string[]) => void;
  readonly problem: string | undefined;
}

/** Several out of a few, all in sight. They keep the order of the choices. */
export const PillChoices = ({ label, choices, values, onChange, problem }: PillChoicesProps) => (
  <fieldset className="flex min-w-0 flex-wrap gap-1.5" aria-label={label}>
    {choices.map((choice) => (
      <label
        key={choice.value}
        className={classes(
          "flex h-control cursor-pointer items-center rounded-lg border px-2.5 text-sm transition-colors select-none",
          "border-line-strong hover:border-faint has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent",
          "has-focus-visible:outline-2 has-focus-visible:outline-offset-2 outline-accent",
          problem !== undefined && "border-bad",
        )}
      >
        <input
          type="checkbox"
          className="sr-only"
          aria-invalid={problem !== undefined}
          checked={values.includes(choice.value)}
          onChange={({ target }) => {
            const isWanted = (value: string) => (value === choice.value ? target.checked : values.includes(value));
            onChange(choices.map(({ value }) => value).filter(isWanted));
          }}
        />
        {choice.label}
      </label>
    ))}
  </fieldset>
);
