import { TextField } from "#console/ui/field.tsx";
import { signInTexts as texts } from "#texts/sign-in.ts";

interface CodeFieldProps {
  readonly value: string;
  readonly onChange: (code: string) => void;
  readonly error: string | undefined;
  readonly autoFocus?: boolean;
}

/** For a code of an authenticator app, or a backup code. */
export const CodeField = ({ value, onChange, error, autoFocus = false }: CodeFieldProps) => (
  <TextField
    label={texts.code}
    hint={texts.codeHint}
    autoComplete="one-time-code"
    autoFocus={autoFocus}
    required
    minLength={6}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={error}
  />
);
