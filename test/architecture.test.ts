import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";

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

/** Kysely's builder and its SQL tag, SQLite's own handle, and SQL in a string. */
const QUERY =
  /\b(?:selectFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(|\bsql(?:<[^`]*>)?`|"bun:sqlite"|["'`]\s*(?:select\s[^"'`]*\sfrom|insert(?: or \w+)? into|update \w+ set|delete from|vacuum|pragma)\s/i;
const TRANSACTION = /\.(?:write|transaction)\(/;
/** What wiring does without: classes, file and process primitives of its own, and workers. */
const LOGIC =
  /\bclass \w|from "(?:node:fs|node:fs\/promises|node:os|node:net|bun:ffi|bun:sqlite)"|\bnew Worker\(|\bBun\.(?:serve|spawn|listen|connect|file|write)\(/;

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly target: string;
}

const isFixture = (file: string): boolean => file.includes(`${sep}fixtures${sep}`);
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

  test("queries live in stores and engines", () => {
    const isAllowed = (file: string): boolean => file.endsWith(".store.ts") || folderOf(file) === "engines";
    const holders = production.filter((file) => !isFixture(file) && QUERY.test(textOf(file)));
    expect(holders.length).toBeGreaterThan(20);
    expect(holders.filter((file) => !isAllowed(file))).toEqual([]);
  });

  test("routes and wiring leave transactions to services", () => {
    const isOutside = (file: string): boolean => file.endsWith(".routes.ts") || folderOf(file) === "processes";
    const outside = production.filter((file) => isOutside(file) && !isFixture(file));
    expect(outside.length).toBeGreaterThan(15);
    expect(outside.filter((file) => TRANSACTION.test(textOf(file)))).toEqual([]);
  });

  test("processes only wire", () => {
    const wiring = production.filter((file) => folderOf(file) === "processes" && !isFixture(file));
    const known = ["click-journal", "click-pipeline", "console", "control", "demo", "redirect", "serve", "supervisor"];
    expect(wiring.map((file) => basename(file, ".ts")).sort()).toEqual(known);
    expect(wiring.filter((file) => LOGIC.test(textOf(file)))).toEqual([]);
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
    const readers = production.filter((file) => !isFixture(file) && /process\.env|Bun\.env/.test(textOf(file)));
    expect(readers).toContain(join("src", "main.ts"));
    expect(readers.filter((file) => !["config", "main.ts"].includes(folderOf(file)))).toEqual([]);
  });

  test("only the outbound engine calls other machines", () => {
    const callers = production.filter((file) => {
      const text = textOf(file);
      const isLocal = /\bunix\b|hostname: LOOPBACK\b/.test(text);
      return /from "node:(?:https?|http2|tls)"/.test(text) || (/(?<!\.)\bfetch\(|Bun\.connect/.test(text) && !isLocal);
    });
    const folder = join("src", "engines", "outbound");
    expect(callers.filter((file) => dirname(file) !== folder)).toEqual([]);
    expect(callers).toContain(join(folder, "post-request.ts"));
  });

  test("the web framework appears in one file", () => {
    const users = production.filter((file) => /from "hono/.test(textOf(file)));
    expect(users).toEqual([join("src", "http", "mount.ts")]);
  });
});
