import { findDescription, type JsonSchema, pascalCase, referredName } from "../contract/openapi-schemas.ts";

const LINE_LENGTH_MAX = 100;
const KEYWORDS = new Set(
  (
    "False None True and as assert async await break class continue def del elif else except finally for from global if " +
    "import in is lambda nonlocal not or pass raise return try while with yield"
  ).split(" "),
);

export const isKeyword = (name: string): boolean => KEYWORDS.has(name);

/** As lines of a comment, or of a docstring. */
export function wrapText(text: string, indent: string, start = ""): string[] {
  const lines: string[] = [];
  let line = indent + start;
  for (const word of text.replaceAll("\n", " ").split(" ")) {
    const isFirst = line === indent + start;
    if (!isFirst && line.length + 1 + word.length > LINE_LENGTH_MAX) {
      lines.push(line);
      line = `${indent}${start}${word}`;
    } else line += isFirst ? word : ` ${word}`;
  }
  return [...lines, line];
}

export const docstring = (text: string, indent: string): string[] => {
  const escaped = text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"');
  const lines = wrapText(`"""${escaped}"""`, indent);
  return lines.length === 1 ? lines : [...wrapText(`"""${escaped}`, indent), `${indent}"""`];
};

const isRecord = (schema: JsonSchema | boolean): schema is JsonSchema =>
  typeof schema === "object" && schema.type === "object" && Object.keys(schema.properties ?? {}).length > 0;

/** Prints JSON Schemas, as far as the contract uses them, as Python types. Objects become classes, named by their place. */
export class TypePrinter {
  readonly #classes: string[] = [];
  readonly #names = new Set<string>();

  /** In an order in which every name exists when it is needed. */
  get classes(): readonly string[] {
    return this.#classes;
  }

  /** The type; `place` is the name that an object at this place gets. */
  print(schema: JsonSchema | boolean, place: string): string {
    if (typeof schema === "boolean") return "Any";
    const named = referredName(schema);
    if (named !== undefined) return named;
    if (schema.const !== undefined) return literal([schema.const]);
    if (schema.enum) return literal(schema.enum);
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return this.#printChoices(choices as (JsonSchema | boolean)[], place);
    return union([schema.type].flat().map((type) => this.#printOne(type, schema, place)));
  }

  #printChoices(choices: readonly (JsonSchema | boolean)[], place: string): string {
    const records = choices.filter(isRecord);
    const placeOf = (choice: JsonSchema | boolean): string => {
      if (records.length < 2 || !isRecord(choice)) return place;
      const told = Object.values(choice.properties ?? {}).find(
        (property) => typeof property === "object" && typeof property.const === "string",
      );
      const suffix = typeof told === "object" ? pascalCase(String(told.const)) : String(records.indexOf(choice) + 1);
      return place + suffix;
    };
    return union(choices.map((choice) => this.print(choice, placeOf(choice))));
  }

  #printOne(type: unknown, schema: JsonSchema, place: string): string {
    switch (type) {
      case "string":
        return "str";
      case "boolean":
        return "bool";
      case "null":
        return "None";
      case "integer":
        return "int";
      case "number":
        return "float";
      case "array":
        return `List[${this.print(schema.items as JsonSchema, `${place}Item`)}]`;
      case "object":
        if (typeof schema.additionalProperties === "object") {
          return `Dict[str, ${this.print(schema.additionalProperties, `${place}Value`)}]`;
        }
        if (!isRecord(schema)) return "Dict[str, Any]";
        this.declare(place, schema);
        return place;
      default:
        if (Object.keys(schema).every((key) => key === "description")) return "Any";
        throw new Error(`can't print this schema as Python: ${JSON.stringify(schema)}`);
    }
  }

  /** A dictionary with these keys. `NotRequired` needs Python 3.11, so what may be missing is in a class that inherits. */
  declare(name: string, schema: JsonSchema): void {
    if (this.#names.has(name)) throw new Error(`two types are named ${name}`);
    this.#names.add(name);
    const required = new Set(schema.required);
    const fields = Object.entries(schema.properties ?? {}).map(([key, property]) => ({
      key,
      type: this.print(property, name + pascalCase(key)),
      description: findDescription(property),
      isRequired: required.has(key),
    }));
    const bodyOf = (some: typeof fields): string[] =>
      some.flatMap(({ key, type, description }) => [
        ...(description === undefined ? [] : wrapText(description, "    ", "# ")),
        `    ${key}: ${type}`,
      ]);
    const bases: string[] = [];
    for (const isTotal of [true, false]) {
      const words = fields.filter(({ key, isRequired }) => isKeyword(key) && isRequired === isTotal);
      if (words.length === 0) continue;
      const base = `_${name}${isTotal ? "Words" : "MaybeWords"}`;
      const items = words.map(({ key, type }) => `${JSON.stringify(key)}: ${JSON.stringify(type)}`);
      this.#classes.push(`${base} = TypedDict("${base}", {${items.join(", ")}}${isTotal ? "" : ", total=False"})\n`);
      bases.push(base);
    }
    const named = fields.filter(({ key }) => !isKeyword(key));
    const [always, maybe] = [
      named.filter(({ isRequired }) => isRequired),
      named.filter(({ isRequired }) => !isRequired),
    ];
    if (always.length > 0 && maybe.length > 0) {
      this.#classes.push([`class _${name}Required(TypedDict):`, ...bodyOf(always), ""].join("\n"));
      bases.unshift(`_${name}Required`);
    }
    const parents = bases.length > 0 ? bases.join(", ") : "TypedDict";
    const isPartial = maybe.length > 0;
    const own = bodyOf(isPartial ? maybe : always);
    const text = schema.description === undefined ? [] : [...docstring(schema.description, "    "), ""];
    const body = [...text, ...own];
    this.#classes.push(
      [`class ${name}(${parents}${isPartial ? ", total=False" : ""}):`, ...(body.length > 0 ? body : ["    pass"]), ""]
        .join("\n")
        .replace(/\n\n\n/g, "\n\n"),
    );
  }
}

const literal = (values: readonly unknown[]): string => `Literal[${values.map(pythonValue).join(", ")}]`;

const pythonValue = (value: unknown): string => {
  if (value === true) return "True";
  if (value === false) return "False";
  return value === null ? "None" : JSON.stringify(value);
};

function union(types: readonly string[]): string {
  const distinct = [...new Set(types)];
  const others = distinct.filter((type) => type !== "None");
  const whole = others.length === 1 ? (others[0] ?? "") : `Union[${others.join(", ")}]`;
  if (others.length === 0) return "None";
  return others.length === distinct.length ? whole : `Optional[${whole}]`;
}
