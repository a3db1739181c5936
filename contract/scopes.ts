import { z } from "zod";

export const scopes = ["links:read", "links:write", "analytics:read", "qr:read"] as const;

/** What a token may do. Scopes do not imply each other: `links:write` alone cannot read. */
export const Scope = z.enum(scopes).meta({ id: "Scope", description: "A permission that a token carries." });
export type Scope = z.output<typeof Scope>;
