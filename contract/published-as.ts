import type { z } from "zod";

/** Schemas that are checked in one way, for better errors, and described in another. Both accept the same. */
export const publishedAs = new WeakMap<object, z.ZodType>();
