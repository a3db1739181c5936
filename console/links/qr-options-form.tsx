import { CheckRow } from "#console/ui/check-row.tsx";
import { Field, SelectField } from "#console/ui/field.tsx";
import { type QrOptions, qrLogos, qrSizes, qrStyles } from "./qr-options.ts";
import { QrPresets } from "./qr-presets.tsx";

const styleLabels = { square: "Square", rounded: "Rounded", dots: "Dots" } as const;

const logoLabels: Readonly<Record<QrOptions["logo"], string>> = {
  none: "None",
  account: "Your logo",
  heart: "Heart",
  link: "Link",
  mail: "Mail",
  pin: "Pin",
  play: "Play",
  star: "Star",
};

interface QrOptionsFormProps {
  readonly options: QrOptions;
  /** Whether the account has a logo of its own. */
  readonly hasLogo: boolean;
  readonly onChange: (change: Partial<QrOptions>) => void;
}

/** Colours, shapes and what stands in the middle. */
export function QrOptionsForm({ options, hasLogo, onChange }: QrOptionsFormProps) {
  return (
    <>
      <QrPresets options={options} onChange={onChange} />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">Style</legend>
        <div className="grid grid-cols-3 gap-2">
          {qrStyles.map((style, index) => (
            <label
              key={style}
              className="flex h-control cursor-pointer items-center justify-center rounded-lg border border-line-strong text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 outline-accent"
            >
              <input
                type="radio"
                name="style"
                data-first={index === 0 || undefined}
                className="sr-only"
                checked={options.style === style}
                onChange={() => onChange({ style })}
              />
              {styleLabels[style]}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="grid grid-cols-2 gap-4">
        <ColourField label="Color" value={options.color} onChange={(color) => onChange({ color })} />
        <ColourField
          label="Background"
          value={options.background}
          onChange={(background) => onChange({ background })}
        />
        <SelectField
          label="Logo"
          hint={!hasLogo && "Admins can add your logo in Settings."}
          value={options.logo}
          onChange={(event) => onChange({ logo: event.target.value as QrOptions["logo"] })}
        >
          {qrLogos
            .filter((logo) => logo !== "account" || hasLogo)
            .map((logo) => (
              <option key={logo} value={logo}>
                {logoLabels[logo]}
              </option>
            ))}
        </SelectField>
        <SelectField
          label="PNG size"
          value={options.size}
          onChange={(event) => onChange({ size: Number(event.target.value) })}
        >
          {qrSizes.map((size) => (
            <option key={size} value={size}>
              {size} pixels
            </option>
          ))}
        </SelectField>
      </div>
      <CheckRow
        label="Track QR scans separately"
        note="Adds ?qr=1 so reports can tell scans from clicks."
        checked={options.mark}
        onChange={(mark) => onChange({ mark })}
      />
    </>
  );
}

interface ColourFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (colour: string) => void;
}

const ColourField = ({ label, value, onChange }: ColourFieldProps) => (
  <Field label={label}>
    {(props) => (
      <span className="flex h-control items-center gap-2 rounded-lg border border-line-strong bg-card px-2">
        <input
          {...props}
          type="color"
          value={`#${value}`}
          onChange={(event) => onChange(event.target.value.slice(1))}
          className="size-6 shrink-0 cursor-pointer rounded border-0 bg-transparent p-0"
        />
        <span className="font-mono text-sm text-soft">#{value}</span>
      </span>
    )}
  </Field>
);
