import type { z } from "zod";
import { consoleErrors } from "./console/errors.ts";
import { errors } from "./errors.ts";

/** Every error our code can return: the API's public ones and the console's own. */
export const allErrors = { ...errors, ...consoleErrors } as const;

export type AnyErrorCode = keyof typeof allErrors;
export type ErrorDetails<C extends AnyErrorCode> = z.output<(typeof allErrors)[C]["details"]>;
