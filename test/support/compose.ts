import { readFileSync } from "node:fs";
import { join } from "node:path";

const ROOT = join(import.meta.dir, "..", "..");

/** What our compose files use of a service. */
export interface Service {
  readonly image: string;
  readonly build?: string;
  readonly command?: string | readonly string[];
  readonly env_file?: readonly (string | { readonly path: string; readonly required: boolean })[];
  readonly environment?: Readonly<Record<string, string>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, { readonly condition: string }>>;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly stop_grace_period?: string;
  readonly restart?: string;
}

export interface ComposeFile {
  readonly services: Readonly<Record<string, Service>>;
  readonly networks?: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes?: Readonly<Record<string, unknown>>;
}

type Variables = Readonly<Record<string, string>>;

/** The file as Compose reads it with these variables in .env. Throws where Compose refuses to start. */
export const readCompose = (file: string, variables: Variables = {}): ComposeFile =>
  fillIn(Bun.YAML.parse(readFileSync(join(ROOT, file), "utf8")), variables) as ComposeFile;

function fillIn(value: unknown, variables: Variables): unknown {
  if (typeof value === "string") return interpolate(value, variables);
  if (Array.isArray(value)) return value.map((item) => fillIn(item, variables));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fillIn(item, variables)]));
}

/** `${NAME:?message}`, and `$$` for the sign itself, are all that our files use. */
const interpolate = (text: string, variables: Variables): string =>
  text.replaceAll(/\$(?:\$|\{([^}]*)\})?/g, (whole, inside = "") => {
    if (whole === "$$") return "$";
    const [, name = "", message] = /^(\w+):\?(.+)$/.exec(inside) ?? [];
    if (message === undefined) throw new Error(`${whole} has a form that this test doesn't know`);
    const found = variables[name];
    if (!found) throw new Error(`${name}: ${message}`);
    return found;
  });

/** Services that run our own image, by name. */
export const kurzServices = ({ services }: ComposeFile): [string, Service][] =>
  Object.entries(services).filter(([, { build }]) => build !== undefined);
