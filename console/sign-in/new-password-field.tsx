import { TextField } from "#console/ui/field.tsx";

const LENGTH_MIN = 12;
const LENGTH_MAX = 128;

interface NewPasswordFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly error?: string | undefined;
}

export const NewPasswordField = ({ label = "New password", value, onChange, error }: NewPasswordFieldProps) => (
  <TextField
    label={label}
    type="password"
    autoComplete="new-password"
    required
    minLength={LENGTH_MIN}
    maxLength={LENGTH_MAX}
    hint={`At least ${LENGTH_MIN} characters. A few words that do not belong together do well.`}
    value={value}
    onChange={(event) => onChange(event.target.value)}
    error={error}
  />
);
