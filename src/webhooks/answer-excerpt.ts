export const ANSWER_BYTES_MAX = 16 * 1024;
const EXCERPT_BYTES = 4096;

/** The beginning of an answer as text that every engine can store: bytes that are no UTF-8 and zeros are replaced. */
export const excerptOf = (body: Uint8Array): string =>
  new TextDecoder().decode(body.subarray(0, EXCERPT_BYTES)).replaceAll("\0", "\ufffd");
