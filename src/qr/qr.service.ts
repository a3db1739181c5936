import { BinaryResult } from "#contract/endpoint.ts";
import type { FieldError } from "#contract/errors.ts";
import type { QrQuery } from "#contract/qr.ts";
import { validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { LinkService } from "#links/links.service.ts";
import type { AccountLogos } from "./account-logos.ts";
import type { DrawnImage } from "./draw-image.ts";
import { contrastOf, formatColour, parseColour } from "./drawing/colour.ts";
import { DRAWING_VERSION } from "./drawing/drawing-version.ts";
import type { PlanProblem } from "./drawing/plan.ts";
import type { DrawingDesk } from "./drawing-desk.ts";
import type { AccountLogo } from "./qr.store.ts";

interface Deps {
  readonly links: Pick<LinkService, "get">;
  readonly logos: Pick<AccountLogos, "find">;
  readonly desk: DrawingDesk;
}

const CONTRAST_MIN = 3;
const MEDIA_TYPES = { png: "image/png", svg: "image/svg+xml" } as const;

export function qrService({ links, logos, desk }: Deps) {
  return {
    async get(caller: Caller, id: string, query: QrQuery) {
      checkContrast(query);
      const { short_url, slug } = await links.get(caller, id);
      const logo = query.logo === "account" ? await getLogo(logos, caller) : null;
      const { mark, color, background, ...rest } = query;
      const look = { ...rest, color: plainColour(color), background: plainColour(background) };
      const text = mark ? `${short_url}?qr=1` : short_url;
      const order = { text, query: look, accountLogo: logo?.png ?? null };
      return new BinaryResult({
        mediaType: MEDIA_TYPES[query.format],
        tag: tagOf(text, look, logo),
        headers: {
          "cache-control": "private, max-age=3600",
          "content-disposition": `inline; filename="${slug}.${query.format}"`,
          ...(query.format === "svg" && { "content-security-policy": svgPolicy(logo) }),
        },
        read: async () => bytesOf(await desk.draw(order), query),
      });
    },
  };
}
export type QrService = ReturnType<typeof qrService>;

function checkContrast({ color, background }: QrQuery): void {
  const contrast = contrastOf(parseColour(color), parseColour(background));
  if (contrast >= CONTRAST_MIN) return;
  const what =
    contrast < 1 ? "The code is lighter than its background" : `The contrast is ${Math.floor(contrast * 100) / 100}:1`;
  const message = `${what}; it must be darker, with a contrast of at least ${CONTRAST_MIN}:1.`;
  throw validationFailed([problem("color", "low_contrast", message)]);
}

async function getLogo(logos: Deps["logos"], { accountNo }: Caller): Promise<AccountLogo> {
  const logo = await logos.find(accountNo);
  if (!logo) throw validationFailed([problem("logo", "not_in_enum", "The account has no logo.")]);
  return logo;
}

/** The one spelling of a colour that has several. */
const plainColour = (text: string): string => formatColour(parseColour(text));

/** Everything that the bytes depend on, the runtime's compressor included. */
function tagOf(text: string, look: object, logo: AccountLogo | null): string {
  const parts = [DRAWING_VERSION, Bun.version, text, Object.entries(look).sort(), logo?.hash ?? null];
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 27);
}

/** Only an account's logo is a picture within the picture; everything else is shapes. */
const svgPolicy = (logo: AccountLogo | null): string =>
  logo ? "default-src 'none'; img-src data:; sandbox" : "default-src 'none'; sandbox";

function bytesOf(drawn: DrawnImage, query: QrQuery): Uint8Array<ArrayBuffer> {
  if ("bytes" in drawn) return drawn.bytes;
  throw validationFailed([toFieldError(drawn.problem, query)]);
}

function toFieldError(found: PlanProblem, { ecc }: QrQuery): FieldError {
  if (found.kind === "too_small") {
    return problem("size", "out_of_range", `Too small for this code and its margin: at least ${found.sizeMin}.`);
  }
  return ecc === undefined
    ? problem("logo", "out_of_range", "The address is too long for a code with a logo.")
    : problem("ecc", "out_of_range", "Leaves no room for a logo; leave it out to have one chosen that does.");
}

const problem = (field: string, code: FieldError["code"], message: string): FieldError => ({
  location: "query",
  field,
  code,
  message,
});
