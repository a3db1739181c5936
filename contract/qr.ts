import { z } from "zod";
import { endpoint } from "./endpoint.ts";

const Colour = z.string().regex(/^#?[0-9A-Fa-f]{6}$/, "Must be six hexadecimal digits, such as 1a2b3c.");

/** Drawn in the code's own colour. */
export const builtInLogos = ["heart", "link", "mail", "pin", "play", "star"] as const;
export type BuiltInLogo = (typeof builtInLogos)[number];

export const QrQuery = z.strictObject({
  format: z.enum(["png", "svg"]).default("png"),
  size: z
    .int()
    .min(64)
    .max(2048)
    .default(512)
    .describe("Pixels of each side. Modules are whole pixels; what is left over widens the margin."),
  margin: z.int().min(0).max(16).default(4).describe("The quiet zone in modules. Readers may need 4."),
  ecc: z
    .enum(["L", "M", "Q", "H"])
    .optional()
    .describe(
      "Error correction: how much may be hidden or damaged. `M` when left out; with a logo, the most that there is room for.",
    ),
  color: Colour.default("000000").describe("Of the modules; must be darker than the background, by 3:1 at least."),
  background: Colour.default("ffffff"),
  mark: z.boolean().default(false).describe("Encode `?qr=1`, so that scans count as `source=qr`."),
  style: z
    .enum(["square", "rounded", "dots"])
    .default("square")
    .describe("The shape of the modules. Below 4 pixels each, they are square in every style."),
  logo: z
    .enum(["none", "account", ...builtInLogos])
    .default("none")
    .describe(
      "In the middle: nothing, the account's own logo, or a built-in one. Refused where the code would be unreadable.",
    ),
});
export type QrQuery = z.output<typeof QrQuery>;

export const getLinkQr = endpoint({
  id: "links.qr",
  method: "GET",
  path: "/api/v1/links/{id}/qr",
  summary: "Fetch a link's QR code",
  description:
    "An image of the short address, the same bytes for the same parameters, in every state of the link. " +
    "Ask again with `If-None-Match`, and an image that you hold already is not sent twice.",
  tag: "QR codes",
  scope: "qr:read",
  params: z.strictObject({ id: z.string().max(255).describe("The link's `id`.") }),
  query: QrQuery,
  status: 200,
  binary: ["image/png", "image/svg+xml"],
  errors: [],
});
