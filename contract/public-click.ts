import { z } from "zod";
import { fixedValues } from "./analytics.ts";
import { Timestamp } from "./fields.ts";

/** What live updates and webhooks reveal about a click: nothing that could track a visitor. */
export const PublicClick = z.object({
  at: Timestamp,
  country: z.string().nullable(),
  referrer: z.string().nullable(),
  device: z.string().nullable(),
  browser: z.string().nullable(),
  os: z.string().nullable(),
  source: z.enum(fixedValues.source),
  rule: z
    .string()
    .nullable()
    .describe("The rule of the link that decided. `null` if none did, and for visitors who ask not to be tracked."),
});
export type PublicClick = z.output<typeof PublicClick>;
