import { classes } from "#console/ui/classes.ts";
import { qrTexts as texts } from "#texts/qr.ts";
import { type QrOptions, qrPresets } from "./qr-options.ts";

interface QrPresetsProps {
  readonly options: QrOptions;
  readonly onChange: (change: Partial<QrOptions>) => void;
}

/** Where modules are dark in the picture of a preset. */
const CELLS = [
  [0, 0],
  [1, 0],
  [0, 1],
  [2, 1],
  [1, 2],
  [2, 2],
] as const;

const corners = { square: 0, rounded: 0.3, dots: 0.5 } as const;

/** Colors and shapes to begin with, each as a small picture of itself. */
export const QrPresets = ({ options, onChange }: QrPresetsProps) => (
  <fieldset>
    <legend className="mb-1.5 text-sm font-medium">{texts.presets}</legend>
    <div className="grid grid-cols-6 gap-2">
      {qrPresets.map(({ name, ...design }) => {
        const isChosen =
          options.style === design.style && options.color === design.color && options.background === design.background;
        return (
          <button
            key={name}
            type="button"
            aria-pressed={isChosen}
            onClick={() => onChange(design)}
            className="group grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-center gap-1 text-xs text-soft hover:text-text aria-pressed:font-medium aria-pressed:text-text"
          >
            <span
              aria-hidden
              className={classes(
                "flex aspect-square w-full max-w-12 items-center justify-center rounded-lg border p-[22%]",
                isChosen ? "border-accent ring-2 ring-accent" : "border-line-strong group-hover:border-faint",
              )}
              style={{ backgroundColor: `#${design.background}` }}
            >
              <svg viewBox="0 0 3 3" className="size-full" fill={`#${design.color}`} aria-hidden="true">
                {CELLS.map(([x, y]) => (
                  <rect
                    key={`${x} ${y}`}
                    x={x + 0.04}
                    y={y + 0.04}
                    width={0.92}
                    height={0.92}
                    rx={corners[design.style]}
                  />
                ))}
              </svg>
            </span>
            <span className="max-w-full truncate">{texts.presetNames[name]}</span>
          </button>
        );
      })}
    </div>
  </fieldset>
);
