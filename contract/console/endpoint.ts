import type { Endpoint } from "../endpoint.ts";
import type { Sudo } from "./sudo.ts";

type Given = Pick<Endpoint, "id" | "method" | "path" | "summary" | "status"> & { readonly sudo: Sudo } & Partial<
    Pick<
      Endpoint,
      | "params"
      | "query"
      | "body"
      | "bodyOptional"
      | "bodyBytesMax"
      | "response"
      | "binary"
      | "role"
      | "open"
      | "streams"
      | "errors"
    >
  >;

const common = { tag: "Console", description: "", scope: null, errors: [] } as const;

/** An operation of the console alone: no promise is made to others about it. None is without a decision on `sudo`. */
export const consoleEndpoint = <const E extends Given>(definition: E) => ({ ...common, ...definition });
