/** From the least to the most: each may do all that those before it may. */
export const roles = ["viewer", "member", "admin", "owner"] as const;

export type Role = (typeof roles)[number];

export const isAtLeast = (role: Role, least: Role): boolean => roles.indexOf(role) >= roles.indexOf(least);
