import { TextField } from "#console/ui/field.tsx";
import { signInTexts as texts } from "#texts/sign-in.ts";

const LENGTH_MIN = 12;
const LENGTH_MAX = 128;

interface NewPasswordFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
}

export const NewPasswordField = ({ label = texts.newPassword, value, onChange, error }: NewPasswordFieldProps) => (
  <TextField
    label={label}
    type="password"
    autoComplete="new-password"
    required
    minLength={LENGTH_MIN}
    maxLength={LENGTH_MAX}
    hint={texts.newPasswordHint(LENGTH_MIN)}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={error}
  />
);
