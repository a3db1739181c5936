import { locale } from "#console/ui/locale.ts";
import { contrastOf, parseColour } from "#shared/colour.ts";
import { qrTexts } from "#texts/qr.ts";
import type { QrOptions } from "./qr-options.ts";

/** What a rendered code is made of. */
export interface QrGeometry {
  /** Modules from edge to edge, without the quiet zone. */
  readonly modules: number;
  /** Width of a module in pixels of the PNG. */
  readonly scale: number;
  /** The share of the code's area that the logo covers. */
  readonly logoShare: number;
}

const MODULES_BEFORE_FIRST = 17;
const MODULES_PER_VERSION = 4;

const PLACE = /<g transform="translate\((\d+) \d+\) scale\((\d+)\)"/;
/** A picture, or a built-in logo: a path that is moved to its place. */
const LOGO = /<image x="([\d.]+)"|<path transform="translate\(([\d.]+) /;

/** From the server's SVG, which draws in modules. */
export function readQrGeometry(svg: string, size: number): QrGeometry {
  const [, offset, scaleText] = PLACE.exec(svg) ?? [];
  if (offset === undefined || scaleText === undefined) throw new Error("the image has no modules");
  const scale = Number(scaleText);
  // The quiet zone may be wider on one side, and each version of a code has four modules more than the one before.
  const version = Math.round(((size - 2 * Number(offset)) / scale - MODULES_BEFORE_FIRST) / MODULES_PER_VERSION);
  const modules = MODULES_BEFORE_FIRST + version * MODULES_PER_VERSION;
  const [, picture, icon] = LOGO.exec(svg) ?? [];
  const start = picture ?? icon;
  const logoWidth = start === undefined ? 0 : modules - 2 * Number(start);
  return { modules, scale, logoShare: (logoWidth / modules) ** 2 };
}

export interface QrVerdict {
  readonly tone: "good" | "warn";
  readonly title: string;
  readonly notes: readonly string[];
}

/** At and above, every reader we tried reads the image as it is. */
const CONTRAST_SURE = 4.5;
/** Below, a printer or a screen that scales the image may blur modules into each other. */
const SCALE_SURE = 4;
/** What phone cameras tell apart at arm's length. */
const MODULE_MM_MIN = 0.4;
const QUIET_ZONE_MODULES = 4;

const { verdict: texts } = qrTexts;
const oneDigit = new Intl.NumberFormat(locale, { maximumFractionDigits: 1 });
const percent = new Intl.NumberFormat(locale, { style: "percent" });

/** Rounded down: what is shown as enough is enough. */
const writeContrast = (contrast: number): string => `${oneDigit.format(Math.floor(contrast * 10) / 10)}:1`;

/** How well a code will scan, in words. What can't be read at all is refused by the server. */
export function judgeQr(options: QrOptions, { modules, scale, logoShare }: QrGeometry): QrVerdict {
  const contrast = contrastOf(parseColour(options.color), parseColour(options.background));
  const shown = writeContrast(contrast);
  const isFaint = contrast < CONTRAST_SURE;
  const isSmall = scale < SCALE_SURE;
  const widthMm = Math.ceil((modules + 2 * QUIET_ZONE_MODULES) * MODULE_MM_MIN);
  return {
    tone: isFaint || isSmall ? "warn" : "good",
    title: isFaint || isSmall ? texts.warn : texts.good,
    notes: [
      isFaint ? texts.faint(shown, writeContrast(CONTRAST_SURE)) : texts.strong(shown),
      isSmall ? texts.small(options.size, scale) : texts.print(widthMm),
      ...(logoShare > 0 ? [texts.logo(percent.format(logoShare))] : []),
    ],
  };
}
