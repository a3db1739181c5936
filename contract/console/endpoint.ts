import type { Endpoint } from "../endpoint.ts";

type Given = Pick<Endpoint, "id" | "method" | "path" | "summary" | "status"> &
  Partial<
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
      | "sudo"
      | "streams"
      | "errors"
    >
  >;

const common = { tag: "Console", description: "", scope: null, errors: [] } as const;

/** An operation of the console alone: no promise is made to others about it. */
export const consoleEndpoint = <const E extends Given>(definition: E) => ({ ...common, ...definition });
