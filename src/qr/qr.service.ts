import { BinaryResult } from "#contract/endpoint.ts";
import type { FieldError } from "#contract/errors.ts";
import type { QrQuery } from "#contract/qr.ts";
import { validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import type { LinkService } from "#links/links.service.ts";
import { formatColour, parseColour } from "#shared/colour.ts";
import type { AccountLogos } from "./account-logos.ts";
import { findContrastProblem } from "./check-contrast.ts";
import type { PlanProblem } from "./drawing/plan.ts";
import { RENDERING_VERSION } from "./drawing/rendering-version.ts";
import type { ImageRenderer } from "./image-renderer.ts";
import type { AccountLogo } from "./qr.store.ts";
import type { RenderedImage } from "./render-image.ts";

interface Deps {
  readonly links: Pick<LinkService, "get">;
  readonly logos: Pick<AccountLogos, "find">;
  readonly renderer: ImageRenderer;
}

const MEDIA_TYPES = { png: "image/png", svg: "image/svg+xml" } as const;

export function qrService({ links, logos, renderer }: Deps) {
  return {
    async get(caller: Caller, id: string, query: QrQuery) {
      checkContrast(query);
      const { short_url, slug } = await links.get(caller, id);
      const logo = query.logo === "account" ? await getLogo(logos, caller) : null;
      const { mark, color, background, ...rest } = query;
      const look = { ...rest, color: canonicalColour(color), background: canonicalColour(background) };
      const text = mark ? `${short_url}?qr=1` : short_url;
      const request = { text, query: look, accountLogo: logo?.png ?? null };
      return new BinaryResult({
        mediaType: MEDIA_TYPES[query.format],
        tag: tagOf(text, look, logo),
        headers: {
          "cache-control": "private, max-age=3600",
          "content-disposition": `inline; filename="${slug}.${query.format}"`,
          ...(query.format === "svg" && { "content-security-policy": svgPolicy(logo) }),
        },
        read: async () => bytesOf(await renderer.render(request), query),
      });
    },
  };
}
export type QrService = ReturnType<typeof qrService>;

function checkContrast(query: QrQuery): void {
  const message = findContrastProblem(query);
  if (message !== null) throw validationFailed([problem("color", "low_contrast", message)]);
}

async function getLogo(logos: Deps["logos"], { accountNo }: Caller): Promise<AccountLogo> {
  const logo = await logos.find(accountNo);
  if (!logo) throw validationFailed([problem("logo", "not_in_enum", "The account has no logo.")]);
  return logo;
}

/** Colors can be written in several ways; this is the canonical one. */
const canonicalColour = (text: string): string => formatColour(parseColour(text));

/** Covers everything the bytes depend on, including the runtime's compressor. */
function tagOf(text: string, look: object, logo: AccountLogo | null): string {
  const parts = [RENDERING_VERSION, Bun.version, text, Object.entries(look).sort(), logo?.hash ?? null];
  return new Bun.CryptoHasher("sha256").update(JSON.stringify(parts)).digest("base64url").slice(0, 27);
}

/** Only an account's logo is an embedded image; everything else is shapes. */
const svgPolicy = (logo: AccountLogo | null): string =>
  logo ? "default-src 'none'; img-src data:; sandbox" : "default-src 'none'; sandbox";

function bytesOf(image: RenderedImage, query: QrQuery): Uint8Array<ArrayBuffer> {
  if ("bytes" in image) return image.bytes;
  throw validationFailed([toFieldError(image.problem, query)]);
}

function toFieldError(found: PlanProblem, { ecc }: QrQuery): FieldError {
  if (found.kind === "too_small") {
    return problem("size", "out_of_range", `Too small for this code and its margin. Use at least ${found.sizeMin}.`);
  }
  return ecc === undefined
    ? problem("logo", "out_of_range", "The URL is too long for a code with a logo.")
    : problem("ecc", "out_of_range", "This level leaves no room for a logo. Omit it to use one that does.");
}

const problem = (field: string, code: FieldError["code"], message: string): FieldError => ({
  location: "query",
  field,
  code,
  message,
});
