import { z } from "zod";

export const tagModes = ["all", "any"] as const;
export const TagMode = z.enum(tagModes);
export type TagMode = z.output<typeof TagMode>;
