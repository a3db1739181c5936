import { isAtLeast, type Role, roles } from "#contract/roles.ts";
import { ApiError } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";

export type MemberCaller = Caller & { readonly userId: string; readonly role: Role };

/** Parses a stored role; an unknown one gets the fewest rights. */
export const toRole = (text: string | null): Role => roles.find((role) => role === text) ?? "viewer";

export function assertRole(role: Role, required: Role): void {
  if (isAtLeast(role, required)) return;
  throw new ApiError("role_insufficient", `This needs the role ${required}; yours is ${role}.`, {
    role,
    required_role: required,
  });
}

/** Only owners can appoint or demote owners. */
const handlerOf = (handled: readonly Role[]): Role => (handled.includes("owner") ? "owner" : "admin");

export const mayHandle = (role: Role, handled: Role): boolean => isAtLeast(role, handlerOf([handled]));

export function assertMayHandle(role: Role, handled: readonly Role[]): void {
  assertRole(role, handlerOf(handled));
}
