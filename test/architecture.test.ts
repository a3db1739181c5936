import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

const root = join(import.meta.dir, "..");

/** Each folder may import those before it in the list and itself; folders of one line do not know each other. */
const layers: readonly (readonly string[])[] = [
  ["contract"],
  ["kernel"],
  ["config", "metrics"],
  ["engines"],
  ["http"],
  ["audit", "idempotency", "outbox", "mail"],
  ["plans"],
  ["accounts", "tokens"],
  ["members"],
  ["sign-in"],
  ["links"],
  ["identity", "redirect", "docs-page"],
  ["clicks", "analytics", "qr"],
  ["webhooks"],
  ["account-removal"],
  ["console-server"],
  ["runtime"],
  ["demo"],
  ["backup"],
  ["commands"],
  ["processes"],
  ["main.ts"],
];

/** What the order alone would allow but the design does not. */
const forbidden: readonly (readonly [from: string, to: string])[] = [
  ["redirect", "http"],
  ["redirect", "accounts"],
  ["redirect", "tokens"],
  ["redirect", "outbox"],
  ["engines", "config"],
  ["http", "config"],
  ["links", "config"],
];

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly target: string;
}

const isTest = (file: string): boolean => file.endsWith(".test.ts") || file.endsWith(".types.ts");

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => file.endsWith(".ts") && !file.includes("node_modules"));
}

/** `src/links/slug.ts` → `links`; `contract/links.ts` → `contract`; `src/main.ts` → `main.ts`. */
const folderOf = (file: string): string => {
  const [first = "", second = ""] = file.split(sep);
  return first === "src" ? second : first;
};

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"([.#][^"]+)"/g);
  return [...found].map(([, specifier = ""]) => {
    const target = specifier.startsWith("#contract/")
      ? specifier.slice(1)
      : specifier.startsWith("#")
        ? join("src", specifier.slice(1))
        : relative(root, join(root, dirname(file), specifier));
    return { file, from: folderOf(file), to: folderOf(target), target };
  });
}

const production = [...sourceFiles("src"), ...sourceFiles("contract")].filter((file) => !isTest(file));
const imports = production.flatMap(importsOf);
const layerOf = (folder: string): number => layers.findIndex((layer) => layer.includes(folder));

describe("the architecture", () => {
  test("the check has read the code", () => {
    expect(production.length).toBeGreaterThan(60);
    expect(imports.length).toBeGreaterThan(150);
  });

  test("every folder has its place in the order", () => {
    const unknown = production.map(folderOf).filter((folder) => layerOf(folder) < 0);
    expect([...new Set(unknown)]).toEqual([]);
  });

  test("imports go one way", () => {
    const wrong = imports.filter(({ from, to }) => from !== to && layerOf(to) >= layerOf(from));
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("some folders stay strangers although the order would let them meet", () => {
    const wrong = imports.filter(({ from, to }) => forbidden.some(([a, b]) => a === from && b === to));
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("a store is private to its folder", () => {
    const wrong = imports.filter(({ from, to, target }) => target.endsWith(".store.ts") && from !== to);
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("the contract imports zod and itself only", () => {
    const packages = sourceFiles("contract").flatMap((file) =>
      [...readFileSync(join(root, file), "utf8").matchAll(/from "([^.#"][^"]*)"/g)].map(([, name]) => name),
    );
    expect([...new Set(packages)]).toEqual(["zod"]);
  });

  test("only the configuration and the entry read the environment", () => {
    const readers = production.filter((file) => /process\.env|Bun\.env/.test(readFileSync(join(root, file), "utf8")));
    expect(readers.filter((file) => !["config", "main.ts", "commands"].includes(folderOf(file)))).toEqual([]);
  });

  test("only the outbound engine calls other machines", () => {
    const callers = production.filter((file) => {
      const text = readFileSync(join(root, file), "utf8");
      const isLocal = /\bunix\b|hostname: LOOPBACK\b/.test(text);
      return /from "node:(?:https?|http2|tls)"/.test(text) || (/(?<!\.)\bfetch\(|Bun\.connect/.test(text) && !isLocal);
    });
    const folder = join("src", "engines", "outbound");
    expect(callers.filter((file) => dirname(file) !== folder)).toEqual([]);
    expect(callers).toContain(join(folder, "exchange.ts"));
  });

  test("the web framework appears in one file", () => {
    const users = production.filter((file) => /from "hono/.test(readFileSync(join(root, file), "utf8")));
    expect(users).toEqual([join("src", "http", "mount.ts")]);
  });
});
