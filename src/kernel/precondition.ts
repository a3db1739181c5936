import { ApiError } from "./api-error.ts";

/** The entity tags of `If-Match`, or the `if_version` of one operation among many; `null` where the client sent none. */
export type IfMatch = "*" | readonly string[] | number | null;

const ENTITY_TAG = /(W\/)?"([\x21\x23-\x7e\x80-\uffff]*)"/g;

/** Weak tags are left out: `If-Match` compares strongly (RFC 9110 §13.1.1). */
export function parseIfMatch(header: string | null): Exclude<IfMatch, number> {
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
  if (ifMatch === null || ifMatch === "*" || ifMatch === version) return;
  if (typeof ifMatch === "number") throw otherVersion("if_version is not", version, String(version));
  if (!ifMatch.includes(String(version))) throw otherVersion("If-Match does not name", version, entityTag(version));
}

const otherVersion = (what: string, version: number, shown: string): ApiError =>
  new ApiError("precondition_failed", `${what} the current version, which is ${shown}.`, { current_version: version });
