import { SelectField } from "#console/ui/field.tsx";
import { linkFormTexts as texts } from "#texts/link-form.ts";
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
      label={texts.fields.domain}
      value={chosen.name}
      onChange={(event) => onChange(event.target.value)}
      error={problem}
      hint={texts.domainHint}
    >
      {options.map(({ name, label }) => (
        <option key={name} value={name}>
          {label}
        </option>
      ))}
    </SelectField>
  );
