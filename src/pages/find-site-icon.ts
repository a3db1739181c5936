import type { IconType } from "#contract/console/pages.ts";
import { decodeHtml } from "./decode-html.ts";
import { fetchPage, type PageAccess } from "./fetch-page.ts";
import { iconTypeOf } from "./icon-type.ts";
import { type IconLink, readPage } from "./read-page.ts";

export interface SiteIcon {
  readonly type: IconType;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly hash: string;
}

const PAGE_BYTES_MAX = 256 * 1024;
const ICON_BYTES_MAX = 64 * 1024;
// Beside the one at the usual place.
const NAMED_ICONS_MAX = 2;
// As large as a tile shows it, on most screens.
const WANTED_SIDE = 32;

/** The icon of a site, given by its origin: one that its first page names, or the one at the usual place. */
export async function findSiteIcon(access: PageAccess, site: string, signal: AbortSignal): Promise<SiteIcon | null> {
  const deadline = performance.now() + access.timeoutMs;
  const named = await namedIcons(access, `${site}/`, deadline, signal);
  for (const url of new Set([...named.slice(0, NAMED_ICONS_MAX), `${site}/favicon.ico`])) {
    const icon = await fetchIcon(access, url, deadline, signal);
    if (icon) return icon;
  }
  return null;
}

async function namedIcons(
  access: PageAccess,
  url: string,
  deadline: number,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const wish = { url, accept: "text/html", readBytesMax: PAGE_BYTES_MAX, deadline, signal };
  const page = await fetchPage(access, wish);
  if (!page) return [];
  const { icons, base } = readPage(decodeHtml(page.response.body, page.response.headers["content-type"] ?? ""));
  const root = URL.parse(base ?? "", page.url)?.href ?? page.url;
  return icons
    .toSorted((a, b) => rankOf(a) - rankOf(b))
    .flatMap(({ href }) => {
      const icon = URL.parse(href, root);
      return icon && /^https?:$/.test(icon.protocol) ? [icon.href] : [];
    });
}

/** The smallest that is large enough first, then the largest; those for home screens last. */
function rankOf({ side, isTouch }: IconLink): number {
  const known = side ?? WANTED_SIDE;
  const distance = known >= WANTED_SIDE ? known - WANTED_SIDE : 10_000 - known;
  return distance + (isTouch ? 100_000 : 0);
}

async function fetchIcon(
  access: PageAccess,
  url: string,
  deadline: number,
  signal: AbortSignal,
): Promise<SiteIcon | null> {
  const wish = { url, accept: "image/*", readBytesMax: ICON_BYTES_MAX + 1, deadline, signal };
  const page = await fetchPage(access, wish);
  if (!page) return null;
  const { body, isComplete } = page.response;
  if (!isComplete || body.byteLength > ICON_BYTES_MAX) return null;
  const type = iconTypeOf(body);
  if (type === null) return null;
  const bytes = new Uint8Array(body);
  return { type, bytes, hash: new Bun.CryptoHasher("sha256").update(bytes).digest("hex").slice(0, 32) };
}
