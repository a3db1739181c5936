import { deflateSync } from "node:zlib";
import type { BuiltInLogo, QrQuery } from "#contract/qr.ts";
import { parseColour } from "./drawing/colour.ts";
import { fitSize, type Picture, resizePicture } from "./drawing/picture.ts";
import { toPixels } from "./drawing/pixels.ts";
import { isProblem, type Logo, type PlanProblem, planCode } from "./drawing/plan.ts";
import { filterRows, type PngImage, writePng } from "./drawing/png.ts";
import { toSvg } from "./drawing/svg.ts";
import { readPicture } from "./png-reader.ts";

export interface ImageOrder {
  readonly text: string;
  readonly query: Omit<QrQuery, "mark">;
  /** The account's logo as it is kept, where the query asks for it. */
  readonly accountLogo: Uint8Array | null;
}

export type DrawnImage = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly problem: PlanProblem };

export function drawImage({ text, query, accountLogo }: ImageOrder): DrawnImage {
  const { format, size, margin, ecc = null, color, background, style, logo } = query;
  const plan = planCode({
    text,
    size,
    margin,
    ecc,
    colour: parseColour(color),
    background: parseColour(background),
    style,
    logo: accountLogo ? pictureLogo(accountLogo) : iconLogo(logo),
  });
  if (isProblem(plan)) return { problem: plan };
  return { bytes: format === "svg" ? new TextEncoder().encode(toSvg(plan)) : toPng(toPixels(plan)) };
}

const LOGO_SIDE = 256;

/** What is kept of an uploaded file: its pixels alone, no larger than any code needs them, written anew. */
export function redrawLogo(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const picture = readPicture(file);
  const isSmall = Math.max(picture.width, picture.height) <= LOGO_SIDE;
  const { width, height } = isSmall ? picture : fitSize(picture, LOGO_SIDE);
  const { rgba } = isSmall ? picture : resizePicture(picture, width, height);
  return toPng({ width, height, colours: { kind: "rgba" }, rows: rgba });
}

/** The last steps of the compressor would take as long as all before them, for a twentieth of the bytes. */
const COMPRESSION_LEVEL = 5;

function toPng(image: PngImage): Uint8Array<ArrayBuffer> {
  return writePng(image, deflateSync(filterRows(image), { level: COMPRESSION_LEVEL }));
}

const iconLogo = (name: QrQuery["logo"]): Logo | null =>
  name === "none" || name === "account" ? null : { kind: "icon", name: name satisfies BuiltInLogo };

const pictureLogo = (png: Uint8Array): Logo => ({
  kind: "picture",
  picture: rememberedPicture(png),
  href: `data:image/png;base64,${Buffer.from(png).toString("base64")}`,
});

const REMEMBERED_MAX = 16;
const remembered = new Map<string, Picture>();

/** Codes are often drawn in rows, all with the same logo. Nobody can make one that is taken for another's. */
function rememberedPicture(png: Uint8Array): Picture {
  const key = new Bun.CryptoHasher("sha256").update(png).digest("hex");
  const known = remembered.get(key);
  if (known) return known;
  const picture = readPicture(png);
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(key, picture);
  return picture;
}
