import { z } from "zod";
import { LOGO_BYTES_MAX } from "../limits.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { noSudo, reading } from "./sudo.ts";

const path = "/console/api/account/logo";
// Four characters for each three octets.
const BASE64_CHARACTERS_MAX = Math.ceil(LOGO_BYTES_MAX / 3) * 4;

export const getLogo = consoleEndpoint({
  id: "console.logo.get",
  method: "GET",
  path,
  summary: "The picture that the account may have in the middle of its QR codes",
  sudo: reading,
  role: "viewer",
  status: 200,
  binary: ["image/png"],
});

export const setLogo = consoleEndpoint({
  id: "console.logo.set",
  method: "POST",
  path,
  summary: "Set the account's logo to a PNG, of which only the pixels are kept",
  sudo: noSudo("Changes how QR codes look, and is easily changed back."),
  role: "admin",
  body: z.strictObject({ png: z.string().max(BASE64_CHARACTERS_MAX).describe("The file in base64.") }),
  bodyBytesMax: BASE64_CHARACTERS_MAX + 1024,
  status: 204,
});

export const removeLogo = consoleEndpoint({
  id: "console.logo.remove",
  method: "DELETE",
  path,
  summary: "Remove the account's logo",
  sudo: noSudo("Changes how QR codes look, and is easily changed back."),
  role: "admin",
  status: 204,
});
