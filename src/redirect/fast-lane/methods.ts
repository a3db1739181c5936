import { nameByte, SLASH, SPACE } from "./byte-classes.ts";

export const GET: Buffer = Buffer.from("GET ");
export const HEAD: Buffer = Buffer.from("HEAD ");

const KNOWN: readonly Buffer[] = [
  GET,
  HEAD,
  ...["POST ", "PUT ", "PATCH ", "DELETE ", "OPTIONS "].map((text) => Buffer.from(text)),
];
/** Answered with 405 everywhere. The HTTP server closes on methods that it has never heard of, without a word. */
export const REFUSED_METHOD = "PROPFIND";
const REFUSED: Buffer = Buffer.from(`${REFUSED_METHOD} `);
const METHOD_BYTES_MAX = 32;

/** With the space behind it. */
export function knownMethodAt(bytes: Buffer, start: number): Buffer | undefined {
  for (const method of KNOWN) if (isAt(bytes, start, method)) return method;
  return undefined;
}

/** How many bytes a method has that we do not know (RFC 9110 §9.1), with the space behind it, or 0 where there is none. */
export function otherMethodBytes(bytes: Buffer, start: number): number {
  let at = start;
  while (nameByte[bytes[at] ?? 0] !== 0 && at - start <= METHOD_BYTES_MAX) at += 1;
  return at > start && bytes[at] === SPACE && bytes[at + 1] === SLASH ? at + 1 - start : 0;
}

/** The same request, with a method that every server knows and refuses in place of one that it may not know. */
export function withKnownMethod(bytes: Buffer): Buffer {
  if (knownMethodAt(bytes, 0) !== undefined) return bytes;
  const methodBytes = otherMethodBytes(bytes, 0);
  return methodBytes === 0 ? bytes : Buffer.concat([REFUSED, bytes.subarray(methodBytes)]);
}

export function isAt(bytes: Buffer, start: number, text: Buffer): boolean {
  for (let index = 0; index < text.length; index += 1) if (bytes[start + index] !== text[index]) return false;
  return true;
}
