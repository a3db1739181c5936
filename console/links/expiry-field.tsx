import { Field } from "#console/ui/field.tsx";
import { formatAgo } from "#console/ui/format.ts";
import { InstantInput } from "#console/ui/instant-input.tsx";

interface ExpiryFieldProps {
  /** An instant, or nothing. */
  readonly value: string;
  readonly onChange: (instant: string) => void;
  readonly onBlur: () => void;
  readonly problem: string | undefined;
}

export const ExpiryField = ({ value, onChange, onBlur, problem }: ExpiryFieldProps) => (
  <Field
    label="Expires"
    aside="optional"
    error={problem}
    hint={value === "" ? "Never expires by default." : `${formatAgo(value)}; visitors then see that it ended.`}
  >
    {(props) => (
      <InstantInput {...props} value={value} min={new Date().toISOString()} onChange={onChange} onBlur={onBlur} />
    )}
  </Field>
);
