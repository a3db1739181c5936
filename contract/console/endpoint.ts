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
      | "downloads"
      | "errors"
    >
  >;

const common = { tag: "Console", description: "", scope: null, errors: [] } as const;

/** An operation for the console only, not part of the public API. Each must decide on `sudo`. */
export const consoleEndpoint = <const E extends Given>(definition: E) => ({ ...common, ...definition });
