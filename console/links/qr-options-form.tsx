import { Link } from "@tanstack/react-router";
import { useReducer } from "react";
import { useWorkspace } from "#console/api/session.tsx";
import { CheckRow } from "#console/ui/check-row.tsx";
import { SelectField } from "#console/ui/field.tsx";
import { qrTexts as texts } from "#texts/qr.ts";
import { ColourField } from "./colour-field.tsx";
import { type QrOptions, qrLogos, qrSizes, qrStyles } from "./qr-options.ts";
import { QrPresets } from "./qr-presets.tsx";

const logoLabels: Readonly<Record<QrOptions["logo"], string>> = texts.logos;

interface QrOptionsFormProps {
  readonly options: QrOptions;
  /** Whether the account has a logo of its own. */
  readonly hasLogo: boolean;
  readonly onChange: (change: Partial<QrOptions>) => void;
  readonly onWrong: Readonly<Record<"color" | "background", (isWrong: boolean) => void>>;
}

/** Colours, shapes and what stands in the middle. */
export function QrOptionsForm({ options, hasLogo, onChange, onWrong }: QrOptionsFormProps) {
  // What was typed into a field goes with the next preset, even one of the same colour.
  const [presets, countPreset] = useReducer((count: number) => count + 1, 0);
  const choosePreset: QrOptionsFormProps["onChange"] = (change) => {
    countPreset();
    onChange(change);
  };
  return (
    <>
      <QrPresets options={options} onChange={choosePreset} />
      <fieldset>
        <legend className="mb-1.5 text-sm font-medium">{texts.style}</legend>
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
              {texts.styles[style]}
            </label>
          ))}
        </div>
      </fieldset>
      <div className="grid grid-cols-2 gap-4">
        <ColourField
          key={`color ${presets}`}
          label={texts.color}
          value={options.color}
          onChange={(color) => onChange({ color })}
          onWrong={onWrong.color}
        />
        <ColourField
          key={`background ${presets}`}
          label={texts.background}
          value={options.background}
          onChange={(background) => onChange({ background })}
          onWrong={onWrong.background}
        />
        <SelectField
          label={texts.logo}
          hint={!hasLogo && <LogoHint />}
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
          label={texts.size}
          value={options.size}
          onChange={(event) => onChange({ size: Number(event.target.value) })}
        >
          {qrSizes.map((size) => (
            <option key={size} value={size}>
              {texts.pixels(size)}
            </option>
          ))}
        </SelectField>
      </div>
      <CheckRow
        label={texts.mark}
        note={texts.markNote}
        checked={options.mark}
        onChange={(mark) => onChange({ mark })}
      />
    </>
  );
}

/** The way to it, for those who may add one. */
function LogoHint() {
  const { account, may } = useWorkspace();
  if (!may("admin")) return texts.logoHint;
  return (
    <Link to="/a/$account/settings" params={{ account: account.id }} className="underline hover:text-text">
      {texts.addLogo}
    </Link>
  );
}
