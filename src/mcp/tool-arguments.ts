import type { Endpoint } from "#contract/endpoint.ts";

export type Place = "path" | "query" | "body" | "idempotency-key" | "if-match";

/** One argument of a tool, and where the operation's request has it. */
export interface ToolArgument {
  readonly name: string;
  readonly place: Place;
  /** Its name there. */
  readonly field: string;
}

export const toolName = (operationId: string): string => operationId.replaceAll(".", "_");

/** The parts of a request in one list. Where two have the same name, the later one says which it is. */
export function placeArguments({ params, query, body, idempotencyKey, ifMatch }: Endpoint): readonly ToolArgument[] {
  const fields: readonly Omit<ToolArgument, "name">[] = [
    ...Object.keys(params?.shape ?? {}).map((field) => ({ place: "path", field }) as const),
    ...Object.keys(query?.shape ?? {}).map((field) => ({ place: "query", field }) as const),
    ...Object.keys(body?.shape ?? {}).map((field) => ({ place: "body", field }) as const),
    ...(idempotencyKey ? [{ place: "idempotency-key", field: "idempotency_key" } as const] : []),
    ...(ifMatch ? [{ place: "if-match", field: "if_version" } as const] : []),
  ];
  const args: ToolArgument[] = [];
  for (const { place, field } of fields) {
    const isTaken = args.some(({ name }) => name === field);
    args.push({ name: isTaken ? `${place.replaceAll("-", "_")}_${field}` : field, place, field });
  }
  return args;
}
