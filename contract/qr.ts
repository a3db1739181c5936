import { z } from "zod";
import { endpoint } from "./endpoint.ts";

const Colour = z.string().regex(/^#?[0-9A-Fa-f]{6}$/);

const QrQuery = z.strictObject({
  format: z.enum(["png", "svg"]).default("png"),
  size: z.int().min(64).max(2048).default(512).describe("Pixels of each side."),
  margin: z.int().min(0).max(16).default(4).describe("Quiet zone in modules."),
  ecc: z.enum(["L", "M", "Q", "H"]).default("M").describe("Error correction."),
  color: Colour.default("000000"),
  background: Colour.default("ffffff"),
  mark: z.boolean().default(false).describe("Encode `?qr=1`, so that scans count as `source=qr`."),
  style: z.enum(["square", "rounded", "dots"]).default("square"),
  logo: z.string().max(64).default("none").describe("`none`, `account`, or the name of a built-in logo."),
});

export const getLinkQr = endpoint({
  id: "links.qr",
  method: "GET",
  path: "/api/v1/links/{id}/qr",
  summary: "Fetch a link's QR code",
  description: "An image of the short address, the same bytes for the same parameters, in every state of the link.",
  tag: "QR codes",
  scope: "qr:read",
  params: z.strictObject({ id: z.string().max(255).describe("The link's `id`.") }),
  query: QrQuery,
  status: 200,
  binary: ["image/png", "image/svg+xml"],
  errors: [],
});
