import { ChevronDown } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";
import { classes } from "./classes.ts";

export const inputClasses =
  "w-full rounded-lg border border-line-strong bg-card px-3 text-text h-control shadow-card transition-colors hover:border-faint aria-invalid:border-bad disabled:bg-sunken disabled:text-faint";

interface FieldProps {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  /** Stands at the right of the label, as "optional". */
  readonly aside?: ReactNode;
  readonly className?: string;
  readonly children: (props: {
    readonly id: string;
    readonly "aria-invalid": boolean;
    readonly "aria-describedby": string | undefined;
  }) => ReactNode;
}

/** A label, its control, and what is to be said about it. */
export function Field({ label, hint, error, aside, className, children }: FieldProps) {
  const id = useId();
  const noteId = `${id}-note`;
  const hasError = error !== undefined && error !== null && error !== "" && error !== false;
  const note = hasError ? error : hint;
  return (
    <div className={classes("min-w-0", className)}>
      <div className="mb-1.5 flex items-baseline justify-between gap-3">
        <label htmlFor={id} className="text-sm font-medium">
          {label}
        </label>
        {aside && <span className="text-sm text-faint">{aside}</span>}
      </div>
      {children({ id, "aria-invalid": hasError, "aria-describedby": note ? noteId : undefined })}
      {note && (
        <p id={noteId} className={classes("mt-1.5 text-sm", hasError ? "text-bad" : "text-soft")} aria-live="polite">
          {note}
        </p>
      )}
    </div>
  );
}

interface TextFieldProps extends Omit<ComponentProps<"input">, "id"> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
  readonly aside?: ReactNode;
}

export function TextField({ label, hint, error, aside, className, ...input }: TextFieldProps) {
  return (
    <Field label={label} hint={hint} error={error} aside={aside}>
      {(props) => <input type="text" {...input} {...props} className={classes(inputClasses, className)} />}
    </Field>
  );
}

/** The browser's own list, with an arrow that stands where ours do. */
export const Select = ({ className, children, ...select }: ComponentProps<"select">) => (
  <span className="relative block">
    <select {...select} className={classes(inputClasses, "appearance-none pr-9", className)}>
      {children}
    </select>
    <ChevronDown className="pointer-events-none absolute inset-y-0 right-2.5 my-auto size-4 text-faint" aria-hidden />
  </span>
);

interface SelectFieldProps extends Omit<ComponentProps<"select">, "id"> {
  readonly label: string;
  readonly hint?: ReactNode;
  readonly error?: ReactNode;
}

export function SelectField({ label, hint, error, children, ...select }: SelectFieldProps) {
  return (
    <Field label={label} hint={hint} error={error}>
      {(props) => (
        <Select {...select} {...props}>
          {children}
        </Select>
      )}
    </Field>
  );
}
