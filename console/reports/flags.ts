const REGIONAL_A = 0x1f1e6;
const CODE = /^[A-Z]{2}$/;

let drawsFlags: boolean | null = null;

/** The country's flag, or nothing where the system has no letters for flags, as Windows and most Linux have not. */
export function findFlag(country: string): string | null {
  drawsFlags ??= canDrawFlags();
  return drawsFlags && CODE.test(country) ? toFlag(country) : null;
}

const toFlag = (country: string): string =>
  [...country].map((letter) => String.fromCodePoint(REGIONAL_A + letter.charCodeAt(0) - 65)).join("");

/** A flag that is drawn has colours; boxes and letters in its place have none. */
function canDrawFlags(): boolean {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [16, 16];
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return false;
  context.font = "14px sans-serif";
  context.textBaseline = "top";
  context.fillText(toFlag("DE"), 0, 0);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  return data.some((value, index) => index % 4 === 0 && value !== data[index + 1]);
}
