import { QR_CONTRAST_MIN } from "#contract/qr.ts";
import { contrastOf, parseColour } from "#shared/colour.ts";

interface Colours {
  readonly color: string;
  readonly background: string;
}

/** Why a code in these colors couldn't be read; `null` if it can. */
export function findContrastProblem({ color, background }: Colours): string | null {
  const contrast = contrastOf(parseColour(color), parseColour(background));
  if (contrast >= QR_CONTRAST_MIN) return null;
  const what =
    contrast < 1
      ? "The color is lighter than the background"
      : `The contrast is only ${Math.floor(contrast * 100) / 100}:1`;
  return `${what}. Use a darker color with a contrast of at least ${QR_CONTRAST_MIN}:1.`;
}
