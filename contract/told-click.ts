import { z } from "zod";
import { fixedValues } from "./analytics.ts";
import { Timestamp } from "./fields.ts";

/** What is told of a click as it happens: nothing that would follow the visitor around. */
export const ToldClick = z.object({
  at: Timestamp,
  country: z.string().nullable(),
  referrer: z.string().nullable(),
  device: z.string().nullable(),
  browser: z.string().nullable(),
  os: z.string().nullable(),
  source: z.enum(fixedValues.source),
});
export type ToldClick = z.output<typeof ToldClick>;
