import { z } from "zod";

/** From the least to the most: each may do all that those before it may. */
export const roles = ["viewer", "member", "admin", "owner"] as const;

export const Role = z.enum(roles);
export type Role = z.output<typeof Role>;

export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);
