import { decodeHtml } from "./decode-html.ts";
import { fetchPage, type PageAccess } from "./fetch-page.ts";
import { readPage } from "./read-page.ts";

const PAGE_BYTES_MAX = 256 * 1024;
const HTML = /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i;

/** What the page at the address is called, if it is one. */
export async function findPageTitle(access: PageAccess, url: string, signal: AbortSignal): Promise<string | null> {
  const deadline = performance.now() + access.timeoutMs;
  const wish = { url, accept: "text/html,application/xhtml+xml", readBytesMax: PAGE_BYTES_MAX, deadline, signal };
  const page = await fetchPage(access, wish);
  const contentType = page?.response.headers["content-type"] ?? "";
  if (!page || !HTML.test(contentType)) return null;
  return readPage(decodeHtml(page.response.body, contentType)).title;
}
