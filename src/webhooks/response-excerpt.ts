export const RESPONSE_BYTES_MAX = 16 * 1024;
const EXCERPT_BYTES = 4096;

/** The beginning of a response as text that any database can store: replaces invalid UTF-8 and NUL characters. */
export const excerptOf = (body: Uint8Array): string =>
  new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES)).replaceAll("\0", "\ufffd");
