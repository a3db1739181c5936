// As far as browsers look (HTML, "prescan a byte stream to determine its encoding").
const PRESCAN_BYTES = 1024;
const CHARSET = /charset\s*=\s*["']?\s*([^\s"';,>]+)/i;

/** The text of a page, in the encoding that it, its headers or its bytes name; it may end anywhere. */
export function decodeHtml(bytes: Uint8Array, contentType: string): string {
  const named = encodingOf(CHARSET.exec(contentType)?.[1]) ?? encodingOf(metaCharset(bytes));
  const encoding = byteOrderMark(bytes) ?? named ?? (isUtf8(bytes) ? "utf-8" : "windows-1252");
  return new TextDecoder(encoding).decode(bytes);
}

function byteOrderMark([first, second, third]: Uint8Array): Bun.Encoding | null {
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  return first === 0xff && second === 0xfe ? "utf-16le" : null;
}

/** `null` for names that nobody knows. */
function encodingOf(label: string | undefined): Bun.Encoding | null {
  if (label === undefined) return null;
  try {
    return new TextDecoder(label as Bun.Encoding).encoding as Bun.Encoding;
  } catch {
    return null;
  }
}

function metaCharset(bytes: Uint8Array): string | undefined {
  const start = new TextDecoder("windows-1252").decode(bytes.subarray(0, PRESCAN_BYTES));
  for (const [tag] of start.matchAll(/<meta\s[^>]*>/gi)) {
    const charset = CHARSET.exec(tag)?.[1];
    // It could not be read if it were true.
    if (charset !== undefined) return /^utf-?16/i.test(charset) ? "utf-8" : charset;
  }
  return undefined;
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    // As a stream, so that half a letter at the end doesn't count.
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}
