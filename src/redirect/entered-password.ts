import type { BodyReader } from "./request-body.ts";

/** `wrong` without asking: no link has such a password. */
export type EnteredPassword =
  | { readonly kind: "entered"; readonly password: string }
  | { readonly kind: "wrong" | "not-a-form" | "too-large" | "late" | "refused" };

const FORM = /^application\/x-www-form-urlencoded\s*(?:;|$)/i;
/** Far above what the longest password takes, each of its characters encoded. */
export const FORM_BYTES_MAX = 4096;
const PASSWORD_LENGTH_MAX = 128;

/** Reads what a visitor entered in the form of a guarded link. */
export async function readPassword(request: Request, bodies: BodyReader, party: string): Promise<EnteredPassword> {
  if (!FORM.test(request.headers.get("content-type") ?? "")) return { kind: "not-a-form" };
  const body = await bodies.read(request, party, FORM_BYTES_MAX);
  if (body.kind === "unread") return { kind: "too-large" };
  if (body.kind !== "whole") return { kind: body.kind };
  const password = new URLSearchParams(new TextDecoder().decode(body.bytes ?? new Uint8Array())).get("password") ?? "";
  return password === "" || password.length > PASSWORD_LENGTH_MAX ? { kind: "wrong" } : { kind: "entered", password };
}
