import { resolve } from "node:path";
import type { RawInput } from "./command.ts";

/** Makes paths absolute where they were typed: a running server, which uses them, has another working directory. */
export const withPaths = (raw: RawInput, ...names: readonly string[]): RawInput =>
  Object.fromEntries(
    Object.entries(raw).map(([name, value]) => [
      name,
      names.includes(name) && typeof value === "string" ? resolve(value) : value,
    ]),
  );
