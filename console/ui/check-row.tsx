import { type ReactNode, useId } from "react";

interface CheckRowProps {
  readonly label: ReactNode;
  readonly note?: ReactNode;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
  readonly type?: "checkbox" | "radio";
  readonly name?: string;
}

/** A box to tick, or one of several to choose, with what it means. */
export function CheckRow({ label, note, checked, onChange, type = "checkbox", name }: CheckRowProps) {
  const id = useId();
  return (
    <div className="flex gap-3 py-1.5">
      <input
        id={id}
        type={type}
        name={name}
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        aria-describedby={note ? `${id}-note` : undefined}
        className="mt-0.5 size-4 shrink-0"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {note && (
          <p id={`${id}-note`} className="text-sm text-soft">
            {note}
          </p>
        )}
      </div>
    </div>
  );
}

interface ChoiceGroupProps {
  readonly legend: string;
  readonly error?: string | undefined;
  readonly children: ReactNode;
}

export function ChoiceGroup({ legend, error, children }: ChoiceGroupProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? id : undefined}>
      <legend className="mb-1 text-sm font-medium">{legend}</legend>
      {children}
      {error && (
        <p id={id} role="alert" className="mt-1 text-sm text-bad">
          {error}
        </p>
      )}
    </fieldset>
  );
}
