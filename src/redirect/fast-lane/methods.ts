import { nameByte, SLASH, SPACE } from "./byte-classes.ts";

export const GET: Buffer = Buffer.from("GET ");
export const HEAD: Buffer = Buffer.from("HEAD ");

const KNOWN: readonly Buffer[] = [
  GET,
  HEAD,
  ...["POST ", "PUT ", "PATCH ", "DELETE ", "OPTIONS "].map((text) => Buffer.from(text)),
];
/** Answered with 405 everywhere. The HTTP server closes the connection without an answer on methods it doesn't know. */
export const REFUSED_METHOD = "PROPFIND";
const REFUSED: Buffer = Buffer.from(`${REFUSED_METHOD} `);
const METHOD_BYTES_MAX = 32;

/** Includes the space after the method. */
export function knownMethodAt(bytes: Buffer, start: number): Buffer | undefined {
  for (const method of KNOWN) if (isAt(bytes, start, method)) return method;
  return undefined;
}

/** The length of an unknown method (RFC 9110 §9.1) including the space after it, or 0 if there is no valid method. */
export function otherMethodBytes(bytes: Buffer, start: number): number {
  let at = start;
  while (nameByte[bytes[at] ?? 0] !== 0 && at - start <= METHOD_BYTES_MAX) at += 1;
  return at > start && bytes[at] === SPACE && bytes[at + 1] === SLASH ? at + 1 - start : 0;
}

/** Replaces an unknown method with one that every server knows and refuses. */
export function withKnownMethod(bytes: Buffer): Buffer {
  if (knownMethodAt(bytes, 0) !== undefined) return bytes;
  const methodBytes = otherMethodBytes(bytes, 0);
  return methodBytes === 0 ? bytes : Buffer.concat([REFUSED, bytes.subarray(methodBytes)]);
}

export function isAt(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let index = 0; index < text.length; index += 1) if (bytes[start + index] !== text[index]) return false;
  return true;
}
