import { ApiError } from "./api-error.ts";

/** The entity tags of `If-Match`; `null` where the client sent none. */
export type IfMatch = "*" | readonly string[] | null;

const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"/g;

/** Weak tags are left out: `If-Match` compares strongly (RFC 9110 §13.1.1). */
export function parseIfMatch(header: string | null): IfMatch {
  if (header === null) return null;
  if (header.trim() === "*") return "*";
  return [...header.matchAll(ENTITY_TAG)].filter(([, weak]) => !weak).map(([, , tag]) => tag ?? "");
}

/** Whether `If-None-Match` names the tag, weakly or strongly (RFC 9110 §13.1.2). */
export function isNamedIn(header: string | null, tag: string): boolean {
  if (header === null) return false;
  return header.trim() === "*" || [...header.matchAll(ENTITY_TAG)].some(([, , named]) => named === tag);
}

export const entityTag = (version: number): string => `"${version}"`;

export function assertVersion(ifMatch: IfMatch, version: number): void {
  if (ifMatch === null || ifMatch === "*" || ifMatch.includes(String(version))) return;
  throw new ApiError(
    "precondition_failed",
    `If-Match does not name the current version, which is ${entityTag(version)}.`,
    { current_version: version },
  );
}
