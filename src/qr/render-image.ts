import { deflateSync } from "node:zlib";
import type { BuiltInLogo, QrQuery } from "#contract/qr.ts";
import { parseColour } from "#shared/colour.ts";
import { fitSize, type Picture, resizePicture } from "./drawing/picture.ts";
import { toPixels } from "./drawing/pixels.ts";
import { isProblem, type Logo, type PlanProblem, planCode } from "./drawing/plan.ts";
import { filterRows, type PngImage, writePng } from "./drawing/png.ts";
import { toSvg } from "./drawing/svg.ts";
import { readPicture } from "./png-reader.ts";

export interface ImageRequest {
  readonly text: string;
  readonly query: Omit<QrQuery, "mark">;
  /** The account's stored logo, if the query asks for it. */
  readonly accountLogo: Uint8Array | null;
}

export type RenderedImage = { readonly bytes: Uint8Array<ArrayBuffer> } | { readonly problem: PlanProblem };

export function renderImage({ text, query, accountLogo }: ImageRequest): RenderedImage {
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

/** Re-encodes an uploaded file: keeps only its pixels, no larger than any code needs. */
export function normalizeLogo(file: Uint8Array): Uint8Array<ArrayBuffer> {
  const picture = readPicture(file);
  const isSmall = Math.max(picture.width, picture.height) <= LOGO_SIDE;
  const { width, height } = isSmall ? picture : fitSize(picture, LOGO_SIDE);
  const { rgba } = isSmall ? picture : resizePicture(picture, width, height);
  return toPng({ width, height, colours: { kind: "rgba" }, rows: rgba });
}

/** Higher levels take twice as long to save another 5 %. */
const COMPRESSION_LEVEL = 5;

function toPng(image: PngImage): Uint8Array<ArrayBuffer> {
  return writePng(image, deflateSync(filterRows(image), { level: COMPRESSION_LEVEL }));
}

const iconLogo = (name: QrQuery["logo"]): Logo | null =>
  name === "none" || name === "account" ? null : { kind: "icon", name: name satisfies BuiltInLogo };

const pictureLogo = (png: Uint8Array): Logo => ({
  kind: "picture",
  picture: cachedPicture(png),
  href: `data:image/png;base64,${Buffer.from(png).toString("base64")}`,
});

const CACHED_MAX = 16;
const cache = new Map<string, Picture>();

/** Codes are often generated in bulk with the same logo. Keyed by hash, so nobody can pass off a different logo. */
function cachedPicture(png: Uint8Array): Picture {
  const key = new Bun.CryptoHasher("sha256").update(png).digest("hex");
  const known = cache.get(key);
  if (known) return known;
  const picture = readPicture(png);
  if (cache.size >= CACHED_MAX) cache.clear();
  cache.set(key, picture);
  return picture;
}
