import { Download } from "lucide-react";
import { useState } from "react";
import { CallError } from "#console/api/call.ts";
import { Button } from "#console/ui/button.tsx";
import { useDebounced } from "#console/ui/debounce.ts";
import { Dialog } from "#console/ui/dialog.tsx";
import { Field, SelectField } from "#console/ui/field.tsx";
import { formatAddress } from "#console/ui/format.ts";
import { Skeleton } from "#console/ui/panel.tsx";
import { toastError } from "#console/ui/toast.tsx";
import { type QrOptions, qrLogos, qrSizes, qrStyles, startOptions, useQrImage } from "./qr-image.ts";
import { useLink } from "./use-link.ts";

const SETTLE_MS = 150;

const styleLabels = { square: "Square", rounded: "Rounded", dots: "Dots" } as const;

/** The code of a link as it will be printed, in the colours and shapes that one likes. */
export function QrDialog({ linkId, onClose }: { readonly linkId: string; readonly onClose: () => void }) {
  const { data: link } = useLink(linkId);
  const [options, setOptions] = useState<QrOptions>(startOptions);
  const set = (change: Partial<QrOptions>) => setOptions((before) => ({ ...before, ...change }));
  const settled = useDebounced(options, SETTLE_MS);
  const { url, error, fetchImage } = useQrImage(linkId, settled);

  async function download(format: "png" | "svg"): Promise<void> {
    try {
      const image = URL.createObjectURL(await fetchImage(options, format));
      const anchor = document.createElement("a");
      anchor.href = image;
      anchor.download = `${link?.slug ?? "qr"}.${format}`;
      anchor.click();
      setTimeout(() => URL.revokeObjectURL(image), 1000);
    } catch (cause) {
      toastError(cause);
    }
  }

  const problem = error instanceof CallError ? (error.fieldErrors[0]?.message ?? error.message) : error?.message;
  return (
    <Dialog title="QR code" open onClose={onClose} size="wide">
      <div className="grid gap-6 sm:grid-cols-[15rem_1fr]">
        <div>
          <div className="flex aspect-square items-center justify-center rounded-xl border border-line bg-white p-3">
            {url ? (
              <img src={url} alt={`QR code of ${link?.short_url ?? "the link"}`} className="size-full" />
            ) : (
              !problem && <Skeleton className="size-full" />
            )}
          </div>
          {problem ? (
            <p role="alert" className="mt-2 text-sm text-bad">
              {problem}
            </p>
          ) : (
            <p className="mt-2 truncate text-center text-sm text-soft">{link && formatAddress(link.short_url)}</p>
          )}
        </div>
        <div className="grid content-start gap-4">
          <fieldset>
            <legend className="mb-1.5 text-sm font-medium">Style</legend>
            <div className="grid grid-cols-3 gap-2">
              {qrStyles.map((style) => (
                <label
                  key={style}
                  className="flex h-10 cursor-pointer items-center justify-center rounded-lg border border-line-strong text-sm hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-checked:font-medium has-checked:text-accent has-[:focus-visible]:outline-2 has-[:focus-visible]:outline-offset-2 outline-accent"
                >
                  <input
                    type="radio"
                    name="style"
                    className="sr-only"
                    checked={options.style === style}
                    onChange={() => set({ style })}
                  />
                  {styleLabels[style]}
                </label>
              ))}
            </div>
          </fieldset>
          <div className="grid grid-cols-2 gap-4">
            <ColourField label="Colour" value={options.color} onChange={(color) => set({ color })} />
            <ColourField label="Background" value={options.background} onChange={(background) => set({ background })} />
            <SelectField
              label="In the middle"
              value={options.logo}
              onChange={(event) => set({ logo: event.target.value as QrOptions["logo"] })}
            >
              {qrLogos
                .filter((logo) => logo !== "account" || hasLogo)
                .map((logo) => (
                  <option key={logo} value={logo}>
                    {logo === "none"
                      ? "Nothing"
                      : logo === "account"
                        ? "Your logo"
                        : logo[0]?.toUpperCase() + logo.slice(1)}
                  </option>
                ))}
            </SelectField>
            <SelectField
              label="Size of the PNG"
              value={options.size}
              onChange={(event) => set({ size: Number(event.target.value) })}
            >
              {qrSizes.map((size) => (
                <option key={size} value={size}>
                  {size} pixels
                </option>
              ))}
            </SelectField>
          </div>
          <label className="flex cursor-pointer items-start gap-2.5 text-sm">
            <input
              type="checkbox"
              className="mt-0.5 size-4 accent-accent"
              checked={options.mark}
              onChange={(event) => set({ mark: event.target.checked })}
            />
            <span>
              Count scans apart
              <span className="block text-soft">
                The code then leads to the link with ?qr=1, and reports tell scans from clicks.
              </span>
            </span>
          </label>
          <div className="flex flex-wrap gap-2">
            <Button look="primary" onClick={() => void download("png")} disabled={problem !== undefined}>
              <Download className="size-4" aria-hidden />
              PNG
            </Button>
            <Button onClick={() => void download("svg")} disabled={problem !== undefined}>
              <Download className="size-4" aria-hidden />
              SVG
            </Button>
          </div>
        </div>
      </div>
    </Dialog>
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
      <span className="flex h-10 items-center gap-2 rounded-lg border border-line-strong bg-card px-2">
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
