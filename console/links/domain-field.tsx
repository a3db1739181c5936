import { SelectField } from "#console/ui/field.tsx";
import type { DomainOption } from "./use-domain-choice.ts";

interface DomainFieldProps {
  readonly options: readonly DomainOption[];
  readonly chosen: DomainOption;
  readonly onChange: (name: string) => void;
  readonly problem: string | undefined;
}

/** Nothing to choose from: nothing to see. */
export const DomainField = ({ options, chosen, onChange, problem }: DomainFieldProps) =>
  options.length > 1 && (
    <SelectField
      label="Domain"
      value={chosen.name}
      onChange={(event) => onChange(event.target.value)}
      error={problem}
      hint="Can’t be changed later."
    >
      {options.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </SelectField>
  );
