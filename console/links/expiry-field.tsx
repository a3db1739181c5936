import { classes } from "#console/ui/classes.ts";
import { Field, inputClasses } from "#console/ui/field.tsx";
import { formatAgo } from "#console/ui/format.ts";

interface ExpiryFieldProps {
  /** An instant, or nothing. */
  readonly value: string;
  readonly onChange: (instant: string) => void;
  readonly onBlur: () => void;
  readonly problem: string | undefined;
}

/** As the browser's field writes it: in the zone of the person, without saying so. */
function toLocal(instant: string): string {
  if (instant === "") return "";
  const date = new Date(instant);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

export const ExpiryField = ({ value, onChange, onBlur, problem }: ExpiryFieldProps) => (
  <Field
    label="Expires"
    aside="optional"
    error={problem}
    hint={value === "" ? "Never, unless you choose a time." : `${formatAgo(value)}; visitors then see that it ended.`}
  >
    {(props) => (
      <input
        {...props}
        type="datetime-local"
        value={toLocal(value)}
        min={toLocal(new Date().toISOString())}
        // Without it, browsers offer years of six digits, which no date can hold.
        max="9999-12-31T23:59"
        onChange={(event) => onChange(event.target.value === "" ? "" : new Date(event.target.value).toISOString())}
        onBlur={onBlur}
        className={classes(inputClasses, value === "" && "text-faint!")}
      />
    )}
  </Field>
);
