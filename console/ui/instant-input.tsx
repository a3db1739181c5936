import type { ComponentProps } from "react";
import { classes } from "./classes.ts";
import { inputClasses } from "./field.tsx";
import { toLocal } from "./local-instant.ts";

interface InstantInputProps extends Omit<ComponentProps<"input">, "value" | "onChange" | "min"> {
  /** An instant, or nothing. */
  readonly value: string;
  readonly onChange: (instant: string) => void;
  readonly min?: string;
}

/** The browser's own field for a day and a time. */
export const InstantInput = ({ value, onChange, min, className, ...input }: InstantInputProps) => (
  <input
    {...input}
    type="datetime-local"
    value={toLocal(value)}
    {...(min !== undefined && { min: toLocal(min) })}
    // Without it, browsers offer years of six digits, which no date can hold.
    max="9999-12-31T23:59"
    onChange={(event) => onChange(event.target.value === "" ? "" : new Date(event.target.value).toISOString())}
    className={classes(inputClasses, value === "" && "text-faint!", className)}
  />
);
