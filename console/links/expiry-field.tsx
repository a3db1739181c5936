import { Field } from "#console/ui/field.tsx";
import { InstantInput } from "#console/ui/instant-input.tsx";
import { linkFormTexts as texts } from "#texts/link-form.ts";

interface ExpiryFieldProps {
  /** An instant, or nothing. */
  readonly value: string;
  readonly onChange: (instant: string) => void;
  readonly onBlur: () => void;
  readonly problem: string | undefined;
  readonly hint: string;
}

export const ExpiryField = ({ value, onChange, onBlur, problem, hint }: ExpiryFieldProps) => (
  <Field label={texts.fields.expires_at} aside={texts.optional} error={problem} hint={hint}>
    {(props) => (
      <InstantInput {...props} value={value} min={new Date().toISOString()} onChange={onChange} onBlur={onBlur} />
    )}
  </Field>
);
