import { z } from "zod";
import { endpoint } from "./endpoint.ts";

const Colour = z.string().regex(/^#?[0-9A-Fa-f]{6}$/, "Must be six hexadecimal digits, such as 1a2b3c.");

/** Shown in the color of the code. */
export const builtInLogos = ["heart", "link", "mail", "pin", "play", "star"] as const;
export type BuiltInLogo = (typeof builtInLogos)[number];

/** Below this, readers can't tell the modules from the background. */
export const QR_CONTRAST_MIN = 3;

const Style = z.enum(["square", "rounded", "dots"]);
const Logo = z.enum(["none", "account", ...builtInLogos]);

/** What makes a code recognisable as an account's, whatever it leads to. */
export const QrDesign = z.strictObject({ style: Style, color: Colour, background: Colour, logo: Logo });
export type QrDesign = z.output<typeof QrDesign>;

export const QrQuery = z.strictObject({
  format: z.enum(["png", "svg"]).default("png"),
  size: z
    .int()
    .min(64)
    .max(2048)
    .default(512)
    .describe("Width and height in pixels. Modules are whole pixels; any remainder widens the margin."),
  margin: z.int().min(0).max(16).default(4).describe("Width of the quiet zone in modules. Some scanners need 4."),
  ecc: z
    .enum(["L", "M", "Q", "H"])
    .optional()
    .describe(
      "Error correction level: how much of the code may be covered or damaged. Defaults to `M`, or to the highest level that fits if there is a logo.",
    ),
  color: Colour.default("000000").describe(
    "Color of the modules. Must be darker than the background, with a contrast of at least 3:1.",
  ),
  background: Colour.default("ffffff"),
  mark: z.boolean().default(false).describe("Adds `?qr=1` to the encoded URL, so scans are reported as `source=qr`."),
  style: Style.default("square").describe("Shape of the modules. Modules smaller than 4 pixels are always square."),
  logo: Logo.default("none").describe(
    "Logo in the center: none, your account's own, or a built-in one. Rejected if the code would become unreadable.",
  ),
});
export type QrQuery = z.output<typeof QrQuery>;

export const getLinkQr = endpoint({
  id: "links.qr",
  method: "GET",
  path: "/api/v1/links/{id}/qr",
  summary: "Generate a link's QR code",
  description:
    "Returns an image of the short URL, in any link state. The same parameters always produce the same bytes. " +
    "Send `If-None-Match` to avoid downloading an image you already have.",
  tag: "QR codes",
  scope: "qr:read",
  params: z.strictObject({ id: z.string().max(255).describe("The link's `id`.") }),
  query: QrQuery,
  status: 200,
  binary: ["image/png", "image/svg+xml"],
  errors: [],
});
