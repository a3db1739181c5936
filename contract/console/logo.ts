import { z } from "zod";
import { LOGO_BYTES_MAX } from "../limits.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { noSudo, reading } from "./sudo.ts";

const path = "/console/api/account/logo";
// Base64 encodes three bytes as four characters.
const BASE64_CHARACTERS_MAX = Math.ceil(LOGO_BYTES_MAX / 3) * 4;

export const getLogo = consoleEndpoint({
  id: "console.logo.get",
  method: "GET",
  path,
  summary: "Get the logo for the account's QR codes",
  sudo: reading,
  role: "viewer",
  status: 200,
  binary: ["image/png"],
});

export const setLogo = consoleEndpoint({
  id: "console.logo.set",
  method: "POST",
  path,
  summary: "Set the account's logo from a PNG; only its pixels are kept",
  sudo: noSudo("Only changes how QR codes look, and is easy to undo."),
  role: "admin",
  body: z.strictObject({ png: z.string().max(BASE64_CHARACTERS_MAX).describe("The file, base64-encoded.") }),
  bodyBytesMax: BASE64_CHARACTERS_MAX + 1024,
  status: 204,
});

export const removeLogo = consoleEndpoint({
  id: "console.logo.remove",
  method: "DELETE",
  path,
  summary: "Remove the account's logo",
  sudo: noSudo("Only changes how QR codes look, and is easy to undo."),
  role: "admin",
  status: 204,
});
