import { getLogo, removeLogo, setLogo } from "#contract/console/logo.ts";
import { setQrDesign } from "#contract/console/qr-design.ts";
import { BinaryResult } from "#contract/endpoint.ts";
import { type Route, route } from "#http/route.ts";
import { bodyProblem, notFound, validationFailed } from "#kernel/api-error.ts";
import type { AccountLogos } from "#qr/account-logos.ts";
import { InvalidLogo } from "#qr/invalid-logo.ts";
import type { QrDesigns } from "#qr/qr-design.service.ts";
import type { ConsoleCaller } from "./console-caller.ts";

type Me = ConsoleCaller;

/** What an account's QR codes look like. */
export const logoRoutes = (logos: AccountLogos, designs: QrDesigns): readonly Route<Me>[] => [
  route(getLogo, async ({ accountNo }: Me) => {
    const logo = await logos.find(accountNo);
    if (!logo) throw notFound();
    const { png, hash } = logo;
    const headers = { "cache-control": "private, no-cache" };
    return new BinaryResult({ mediaType: "image/png", tag: hash, headers, read: async () => new Uint8Array(png) });
  }),
  route(setLogo, async (me: Me, { body }) => {
    await logos.set(me, Buffer.from(body.png, "base64")).catch(refuse);
    return undefined;
  }),
  route(removeLogo, async (me: Me) => {
    if (!(await logos.remove(me))) throw notFound();
    return undefined;
  }),
  route(setQrDesign, async (me: Me, { body }) => {
    await designs.set(me, body);
    return undefined;
  }),
];

function refuse(error: unknown): never {
  if (!(error instanceof InvalidLogo)) throw error;
  const { message } = error;
  throw validationFailed([
    bodyProblem("png", "invalid_format", `${message.charAt(0).toUpperCase()}${message.slice(1)}.`),
  ]);
}
