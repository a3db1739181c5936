import { z } from "zod";
import { endpoint } from "./endpoint.ts";
import { Timestamp } from "./fields.ts";
import { Scope } from "./scopes.ts";

const countable = (what: string) =>
  z
    .object({ limit: z.int().nullable().describe("`null` means unlimited."), used: z.int() })
    .describe(`How many ${what} the plan allows and the account uses.`);

export const Identity = z
  .object({
    account: z.object({ id: z.string(), name: z.string(), created_at: Timestamp }),
    token: z.object({
      id: z.string(),
      name: z.string(),
      scopes: z.array(Scope),
      created_at: Timestamp,
      expires_at: Timestamp.nullable(),
      last_used_at: Timestamp.nullable(),
    }),
    plan: z.object({
      id: z.string(),
      features: z.object({
        api_access: z.boolean(),
        active_links: countable("active links"),
        webhook_endpoints: countable("webhook endpoints"),
        domains: countable("domains"),
        rules_per_link: z
          .object({ limit: z.int().nullable().describe("`null` means no limit but the general one of 20.") })
          .describe("How many rules each link may have."),
      }),
    }),
    rate_limit: z.object({
      limit: z.int().nullable().describe("Requests allowed per window. `null` means unlimited."),
      window_seconds: z.int(),
    }),
    api_version: z.literal("v1"),
    demo: z.boolean(),
  })
  .meta({ id: "Identity", description: "The account and plan a token belongs to, and its limits." });
export type Identity = z.output<typeof Identity>;

export const getIdentity = endpoint({
  id: "me.get",
  method: "GET",
  path: "/api/v1/me",
  summary: "Retrieve the current identity",
  description: "Returns the account, plan and limits of the token you use. Works with any valid token.",
  tag: "Identity",
  scope: null,
  status: 200,
  response: Identity,
  errors: [],
  examples: {
    response: {
      account: { id: "acc_01k9zq3v7m8r5c2x4t6w0h1jba", name: "Acme", created_at: "2026-01-02T03:04:05.678Z" },
      token: {
        id: "4fJq81ZkWx0B",
        name: "CI",
        scopes: ["links:read", "links:write"],
        created_at: "2026-01-02T03:04:05.678Z",
        expires_at: null,
        last_used_at: "2026-01-03T10:00:00.000Z",
      },
      plan: {
        id: "pro",
        features: {
          api_access: true,
          active_links: { limit: 500, used: 12 },
          webhook_endpoints: { limit: 5, used: 1 },
          domains: { limit: 5, used: 0 },
          rules_per_link: { limit: null },
        },
      },
      rate_limit: { limit: 120, window_seconds: 60 },
      api_version: "v1",
      demo: false,
    },
  },
});
