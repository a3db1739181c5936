import { mediaTypesOf } from "#contract/endpoint.ts";
import { notFound, validationFailed } from "#kernel/api-error.ts";
import type { Place } from "./tool-arguments.ts";
import type { Tool } from "./tools.ts";

export type Arguments = Readonly<Record<string, unknown>>;

/** The request to the API that a tool call stands for. Whatever is wrong with it, the API says so. */
export function toolRequest({ endpoint, args }: Tool, given: Arguments, headers: Headers): Request {
  const values = (place: Place): [field: string, value: unknown][] =>
    args.flatMap((arg) =>
      arg.place === place && given[arg.name] !== undefined ? [[arg.field, given[arg.name]] as const] : [],
    );
  const unknown = Object.entries(given).filter(([name]) => !args.some((arg) => arg.name === name));
  const [inQuery, inBody] = endpoint.body ? [[], unknown] : [unknown, []];
  const query = [...values("query"), ...inQuery].flatMap(([name, value]) => pairsOf(name, value));
  const path = fillIn(endpoint.path, new Map(values("path")));
  for (const [, key] of values("idempotency-key")) headers.set("idempotency-key", headerText(key));
  for (const [, version] of values("if-match")) headers.set("if-match", `"${headerText(version)}"`);
  const body = endpoint.body && JSON.stringify(Object.fromEntries([...values("body"), ...inBody]));
  if (body !== undefined) headers.set("content-type", mediaTypesOf(endpoint)[0] ?? "");
  return new Request(`http://localhost${path}${query.length > 0 ? `?${query.join("&")}` : ""}`, {
    method: endpoint.method,
    headers,
    ...(body !== undefined && { body }),
  });
}

function fillIn(path: string, params: ReadonlyMap<string, unknown>): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params.get(name);
    if (value === undefined || value === null || value === "") {
      throw validationFailed([{ location: "path", field: name, code: "required", message: "This field is required." }]);
    }
    // URL parsers resolve dot segments even if percent-encoded, so the call would reach another operation.
    const text = String(value);
    if (text === "." || text === ".." || !text.isWellFormed()) throw notFound();
    return encodeURIComponent(text);
  });
}

/** A list repeats the parameter. Assistants write `null` for what they leave out. */
const pairsOf = (name: string, value: unknown): string[] =>
  (Array.isArray(value) ? value : [value])
    .filter((item) => item !== null)
    .map((item) => `${encode(name)}=${encode(typeof item === "object" ? JSON.stringify(item) : String(item))}`);

const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

/** Nothing if it has characters that no header can have: the API refuses an empty one, too. */
const headerText = (value: unknown): string => (/^[\x20-\x7e]*$/.test(String(value)) ? String(value) : "");
