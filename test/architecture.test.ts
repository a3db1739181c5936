import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

const root = join(import.meta.dir, "..");

/** Each folder may import those before it in the list and itself; folders of one line do not know each other. */
const layers: readonly (readonly string[])[] = [
  ["contract"],
  ["shared"],
  ["kernel"],
  ["config", "metrics"],
  ["engines"],
  ["http"],
  ["audit", "idempotency", "outbox", "mail"],
  ["plans"],
  ["accounts"],
  ["tokens"],
  ["members"],
  ["sign-in"],
  ["links"],
  ["identity", "redirect", "docs-page"],
  ["clicks", "analytics", "qr"],
  ["webhooks"],
  ["account-removal"],
  ["console-server"],
  ["runtime"],
  ["monitoring"],
  ["supervision"],
  ["sample-data"],
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

const isTest = (file: string): boolean => /\.(?:test|types)\.tsx?$/.test(file);

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => /\.tsx?$/.test(file) && !file.includes("node_modules"));
}

/** `src/links/slug.ts` → `links`; `contract/links.ts` → `contract`; `src/main.ts` → `main.ts`. */
const folderOf = (file: string): string => {
  const [first = "", second = ""] = file.split(sep);
  return first === "src" ? second : first;
};

const textOf = (file: string): string => readFileSync(join(root, file), "utf8");

/** Folders beside `src/` with an alias of their own. */
const topFolders = ["console", "contract", "sdk", "shared", "test"];

function pathOf(specifier: string, file: string): string {
  if (specifier.startsWith(".")) return relative(root, join(root, dirname(file), specifier));
  const path = specifier.slice(1);
  return topFolders.includes(folderOf(path)) ? path : join("src", path);
}

function importsOf(file: string): Import[] {
  const found = textOf(file).matchAll(/(?:from|import)\s*\(?\s*"([.#][^"]+)"/g);
  return [...found].map(([, specifier = ""]) => {
    const target = pathOf(specifier, file);
    return { file, from: folderOf(file), to: folderOf(target), target };
  });
}

const packagesOf = (file: string): string[] =>
  [...textOf(file).matchAll(/(?:from|import)\s*\(?\s*"([@\w][^"]*)"/g)].map(([, name = ""]) => name);

const production = ["contract", "shared", "src"].flatMap(sourceFiles).filter((file) => !isTest(file));
const imports = production.flatMap(importsOf);
const browser = sourceFiles("console").filter((file) => !isTest(file));
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
    expect([...new Set(sourceFiles("contract").flatMap(packagesOf))]).toEqual(["zod"]);
  });

  test("the console imports the contract, the shared folder and itself only", () => {
    const wrong = browser.flatMap(importsOf).filter(({ to }) => !["console", "contract", "shared"].includes(to));
    expect(browser.length).toBeGreaterThan(100);
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("what browser and server share runs in both", () => {
    const shared = sourceFiles("shared").filter((file) => !isTest(file));
    expect([...new Set(shared.flatMap(packagesOf))].sort()).toEqual(["qr", "zod"]);
    expect(shared.filter((file) => /\b(?:Bun|process|Buffer|document|window)\b\./.test(textOf(file)))).toEqual([]);
  });

  test("only the configuration and the entry read the environment", () => {
    const readers = production.filter((file) => /process\.env|Bun\.env/.test(textOf(file)));
    expect(readers.filter((file) => !["config", "main.ts", "commands"].includes(folderOf(file)))).toEqual([]);
  });

  test("only the outbound engine calls other machines", () => {
    const callers = production.filter((file) => {
      const text = textOf(file);
      const isLocal = /\bunix\b|hostname: LOOPBACK\b/.test(text);
      return /from "node:(?:https?|http2|tls)"/.test(text) || (/(?<!\.)\bfetch\(|Bun\.connect/.test(text) && !isLocal);
    });
    const folder = join("src", "engines", "outbound");
    expect(callers.filter((file) => dirname(file) !== folder)).toEqual([]);
    expect(callers).toContain(join(folder, "exchange.ts"));
  });

  test("the web framework appears in one file", () => {
    const users = production.filter((file) => /from "hono/.test(textOf(file)));
    expect(users).toEqual([join("src", "http", "mount.ts")]);
  });
});
