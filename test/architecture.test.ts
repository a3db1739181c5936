import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, relative, sep } from "node:path";
import { shippedWorkers } from "#kernel/shipped-files.ts";

const root = join(import.meta.dir, "..");

/** Each folder may import itself and those of the lines before it, but not the others of its own line. */
const layers: readonly (readonly string[])[] = [
  ["contract"],
  ["shared"],
  ["kernel"],
  ["visits"],
  ["config", "metrics"],
  ["engines"],
  ["http"],
  ["audit", "idempotency", "outbox", "mail"],
  ["plans"],
  ["accounts"],
  ["tokens"],
  ["members"],
  ["sign-in"],
  ["single-sign-on"],
  ["domains"],
  ["links"],
  ["identity", "redirect", "docs-page", "mcp"],
  ["clicks", "analytics", "qr", "pages"],
  ["webhooks", "dry-run", "shares"],
  ["account-export"],
  ["imports"],
  ["account-removal"],
  ["console-server"],
  ["runtime"],
  ["monitoring"],
  ["supervision"],
  ["sample-data"],
  ["demo"],
  ["backup", "move"],
  ["commands"],
  ["processes"],
  ["main.ts"],
];

/** Imports that the layers would allow but the design does not. */
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
/** What has no place in wiring: classes, workers, and direct use of files, sockets and processes. */
const LOGIC =
  /\bclass \w|from "(?:node:fs|node:fs\/promises|node:os|node:net|bun:ffi|bun:sqlite)"|\bnew Worker\(|\bBun\.(?:serve|spawn|listen|connect|file|write)\(/;

const NETWORK_MODULE =
  /(?:from |import\()"(?:node:https?|node:http2|node:tls|nodemailer)"|import \{[^}]*\b(?:connect|createConnection)\b[^}]*\} from "node:net"/;
/** Calls of `fetch` and `Bun.connect`, not methods of that name. */
const CONNECT = /(?<![.\w])fetch\((?!\w*\) \{)|\bBun\.connect\b/g;
/** The address comes first among the options, where it can't be mistaken for something else. */
const LOCAL = /^(?:fetch\([^,]+, |Bun\.connect(?:<\w+>)?\()\{\s*(?:unix:|hostname: LOOPBACK\b)/;

/** Where a module is, or what it finds from there. */
const OWN_PLACE = /\bimport\.meta\.(?:dir|dirname|url|path|filename|resolve)\b|\b__(?:dir|file)name\b/;

/** Of a file, or of a folder with files of one engine. */
const ENGINE_NAME = /\b(?:sqlite|duckdb|postgres|redis|clickhouse)[-/]/;
const ENGINE_DETAIL = /\bSQLITE_[A-Z]|}-(?:wal|shm|journal)\b/;
const ENGINE_PACKAGE = /(?:from|import)\s*\(?\s*"(?:bun:sqlite|@duckdb\/[\w-]+|pg|ioredis|@clickhouse\/[\w-]+)"/;
/** How the rest of the code gets an engine, or something that only an engine in a file can do. */
const ENGINE_DOORS = ["open-engines.ts", "file-lock.ts", "records/newest-schema.ts", "records/records-file.ts"].map(
  (name) => join("src", "engines", name),
);

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
const topFolders = ["cli", "console", "contract", "sdk", "shared", "test"];

function pathOf(specifier: string, file: string): string {
  if (specifier.startsWith(".")) return relative(root, join(root, dirname(file), specifier));
  const path = specifier.slice(1).replace(/^texts\//, "console/texts/en/");
  return topFolders.includes(folderOf(path)) ? path : join("src", path);
}

const importsOf = (file: string): Import[] => importsIn(textOf(file), file);

function importsIn(text: string, file: string): Import[] {
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"([.#][^"]+)"/g);
  return [...found].map(([, specifier = ""]) => {
    const target = pathOf(specifier, file);
    return { file, from: folderOf(file), to: folderOf(target), target };
  });
}

/** Type-only imports are no longer there when the code runs. */
const withoutTypes = (text: string): string => text.replaceAll(/import type [^;]+;/g, "");

/** A module of one engine: by its name, by the library it uses, or because it imports such a module. */
function isEngineModule(file: string): boolean {
  const known = engineModules.get(file);
  if (known !== undefined) return known;
  const isOutside = folderOf(file) !== "engines" || ENGINE_DOORS.includes(file);
  engineModules.set(file, false);
  const isFound =
    !isOutside &&
    (ENGINE_NAME.test(file.split(sep).join("/")) ||
      ENGINE_PACKAGE.test(textOf(file)) ||
      importsIn(withoutTypes(textOf(file)), file).some(({ target }) => isEngineModule(target)));
  engineModules.set(file, isFound);
  return isFound;
}
const engineModules = new Map<string, boolean>();

const packagesOf = (file: string): string[] => packagesIn(textOf(file));

const packagesIn = (text: string): string[] =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*"([@\w][^"]*)"/g)].map(([, name = ""]) => name);

const production = ["contract", "shared", "src"].flatMap(sourceFiles).filter((file) => !isTest(file));
const imports = production.flatMap(importsOf);
const browser = sourceFiles("console").filter((file) => !isTest(file));
const staysLocal = (text: string): boolean =>
  [...text.matchAll(CONNECT)].every(({ index }) => LOCAL.test(text.slice(index)));
const layerOf = (folder: string): number => layers.findIndex((layer) => layer.includes(folder));

describe("the architecture", () => {
  test("the checks read the code", () => {
    expect(production.length).toBeGreaterThan(60);
    expect(imports.length).toBeGreaterThan(150);
  });

  test("every folder belongs to a layer", () => {
    const unknown = production.map(folderOf).filter((folder) => layerOf(folder) < 0);
    expect([...new Set(unknown)]).toEqual([]);
  });

  test("folders import only from the layers before theirs", () => {
    const wrong = imports.filter(({ from, to }) => from !== to && layerOf(to) >= layerOf(from));
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("some imports are forbidden although the layers would allow them", () => {
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

  test("only engines know engines: everything else gets them by what it needs", () => {
    const modules = production.filter(isEngineModule).map((file) => basename(file));
    expect(modules).toContain("sqlite-records.ts");
    expect(modules).toContain("duckdb-clicks.ts");
    expect(modules).toContain("claim.ts");
    expect(modules).toContain("schema-version.ts");
    const users = imports.filter(({ file, from }) => from !== "engines" && !isFixture(file));
    const wrong = users.filter(({ target }) => isEngineModule(target));
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
  });

  test("nothing else knows an engine's error codes or the files beside its own", () => {
    const wrong = production.filter((file) => folderOf(file) !== "engines" && ENGINE_DETAIL.test(textOf(file)));
    expect(wrong).toEqual([]);
  });

  test("routes and wiring leave transactions to services", () => {
    const isOutside = (file: string): boolean => file.endsWith(".routes.ts") || folderOf(file) === "processes";
    const outside = production.filter((file) => isOutside(file) && !isFixture(file));
    expect(outside.length).toBeGreaterThan(15);
    expect(outside.filter((file) => TRANSACTION.test(textOf(file)))).toEqual([]);
  });

  test("processes contain only wiring", () => {
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

  test("the users' command line imports the client, the shared folder and itself only", () => {
    const files = sourceFiles(join("cli", "src")).filter((file) => !isTest(file));
    const wrong = files.flatMap(importsOf).filter(({ to }) => !["cli", "sdk", "shared"].includes(to));
    expect(files.length).toBeGreaterThan(20);
    expect(wrong.map(({ file, target }) => `${file} → ${target}`)).toEqual([]);
    const packages = [...new Set(files.flatMap(packagesOf))].filter((name) => !name.startsWith("node:"));
    expect(packages).toEqual([]);
    expect(files.filter((file) => /process\.env|\bBun\b\./.test(textOf(file)))).toEqual([
      join("cli", "src", "main.ts"),
    ]);
  });

  test("the client imports itself only", () => {
    const files = sourceFiles(join("sdk", "src")).filter((file) => !isTest(file));
    expect(files.length).toBeGreaterThan(20);
    expect(files.flatMap(importsOf).filter(({ to }) => to !== "sdk")).toEqual([]);
    expect(files.flatMap(packagesOf)).toEqual([]);
  });

  test("code shared by browser and server runs in both", () => {
    const shared = sourceFiles("shared").filter((file) => !isTest(file));
    expect([...new Set(shared.flatMap(packagesOf))].sort()).toEqual(["qr", "zod"]);
    expect(shared.filter((file) => /\b(?:Bun|process|Buffer|document|window)\b\./.test(textOf(file)))).toEqual([]);
  });

  test("only the configuration and main.ts read the environment", () => {
    const readers = production.filter((file) => !isFixture(file) && /process\.env|Bun\.env/.test(textOf(file)));
    expect(readers).toContain(join("src", "main.ts"));
    expect(readers.filter((file) => !["config", "main.ts"].includes(folderOf(file)))).toEqual([]);
  });

  test("only one module knows where files that ship with Kurz are", () => {
    // In the one-file program, a module's own place says nothing about the files beside it.
    const users = production.filter((file) => !isFixture(file) && OWN_PLACE.test(textOf(file)));
    expect(users).toEqual([join("src", "kernel", "shipped-files.ts")]);
  });

  test("every worker's module ships with Kurz", () => {
    const workers = production.filter((file) => !isFixture(file) && /\banswerCalls\(/.test(textOf(file)));
    const inList = workers.filter((file) => !file.endsWith("worker-calls.ts")).map((file) => file.split(sep).join("/"));
    expect(inList.sort()).toEqual([...shippedWorkers].sort());
  });

  test("only the outbound engine and the mailer connect to other machines", () => {
    const callers = production.filter((file) => {
      const text = textOf(file);
      return !isFixture(file) && (NETWORK_MODULE.test(text) || !staysLocal(text));
    });
    const engine = join("src", "engines", "outbound");
    expect(callers.filter((file) => dirname(file) !== engine)).toEqual([join("src", "mail", "mailer.ts")]);
    expect(callers).toContain(join(engine, "send-request.ts"));
  });

  test.each([
    ["fetch(url)", false],
    ["fetch(url, { method, unix: path })", false],
    ["// over a unix socket\nfetch(url)", false],
    ["fetch(url, { unix: path }); fetch(other)", false],
    ["Bun.connect({ hostname: host, port })", false],
    ["fetch(`http://localhost/`, {\n  unix: path,\n})", true],
    ["Bun.connect<Line>({ unix: path })", true],
    ["Bun.connect({ hostname: LOOPBACK, port })", true],
    ["Bun.serve({ fetch(request) { return answer(request); } })", true],
  ])("stays on this machine: %p is %p", (text, isExpected) => {
    expect(staysLocal(text)).toBe(isExpected);
  });

  test("a command loads what it needs: no other command's code, and no database library", () => {
    const loaded = new Set<string>();
    const packages = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file) || !file.endsWith(".ts")) return;
      loaded.add(file);
      // `import("…")` is loaded later, if at all.
      const text = withoutTypes(textOf(file)).replaceAll(/\bimport\(/g, "(");
      for (const name of packagesIn(text)) packages.add(name);
      for (const { target } of importsIn(text, file)) load(target);
    };
    load(join("src", "commands", "command-line.ts"));
    expect([...loaded]).toContain(join("src", "commands", "doctor.command.ts"));
    expect([...packages].filter((name) => !/^(?:node|bun):/.test(name)).sort()).toEqual(["ipaddr.js", "zod"]);
    const ofOneCommand = ["account-removal", "backup", "move", "sample-data", join("commands", "doctor")];
    const wrong = [...loaded].filter((file) =>
      ofOneCommand.some((folder) => dirname(file).startsWith(join("src", folder))),
    );
    expect(wrong).toEqual([]);
  });

  test("only one file imports the web framework", () => {
    const users = production.filter((file) => /from "hono/.test(textOf(file)));
    expect(users).toEqual([join("src", "http", "mount.ts")]);
  });
});
