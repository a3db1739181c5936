import { z } from "zod";

export const scopes = [
  "links:read",
  "links:write",
  "analytics:read",
  "qr:read",
  "domains:read",
  "domains:write",
  "webhooks:read",
  "webhooks:write",
  "tokens:write",
] as const;

/** Scopes don't imply each other: `links:write` alone can't read. */
export const Scope = z.enum(scopes).meta({ id: "Scope", description: "A permission of an API token." });
export type Scope = z.output<typeof Scope>;
