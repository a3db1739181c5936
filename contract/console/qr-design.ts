import { QrDesign } from "../qr.ts";
import { consoleEndpoint } from "./endpoint.ts";
import { noSudo } from "./sudo.ts";

export const setQrDesign = consoleEndpoint({
  id: "console.qr_design.set",
  method: "POST",
  path: "/console/api/account/qr-design",
  summary: "Remember the design that the account's next QR codes start with",
  sudo: noSudo("Only changes how QR codes look, and is easy to undo."),
  role: "member",
  body: QrDesign,
  status: 204,
});
