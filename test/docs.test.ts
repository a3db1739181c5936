import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

import { loadConfig } from "#config/load-config.ts";
import { type FamilyName, families } from "#metrics/families.ts";
import { familyOf } from "#metrics/figures.ts";
import { entriesOf, INDEX_FILE, parseNavigation } from "../docs-site/navigation.ts";

const root = join(import.meta.dir, "..");
const pages = [
  "README.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  "PRIVACY.md",
  "CHANGELOG.md",
  "sdk/README.md",
  "cli/README.md",
  "python/README.md",
].concat(
  readdirSync(join(root, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => join("docs", name)),
);

const textOf = (page: string): string => readFileSync(join(root, page), "utf8");

test("every link between pages leads to a file that exists", () => {
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:|#|<)([^)#]+)(?:#[^)]*)?\)/g)].map(([, target = ""]) => ({
      page,
      target,
    })),
  );
  expect(links.length).toBeGreaterThan(15);
  expect(links.filter(({ page, target }) => !existsSync(join(root, dirname(page), target)))).toEqual([]);
});

/** The anchor that GitHub gives a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

const anchorsOf = (page: string): string[] =>
  [...textOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => anchorOf(heading));

test("every link to a section leads to a heading that exists", () => {
  const links = pages.flatMap((page) =>
    [...textOf(page).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)]+)\)/g)].map(([, target = "", anchor = ""]) => ({
      page,
      target: target === "" ? page : join(dirname(page), target),
      anchor,
    })),
  );
  expect(links.length).toBeGreaterThan(15);
  expect(links.filter(({ target, anchor }) => !anchorsOf(target).includes(anchor))).toEqual([]);
});

test("every file of ours that a page names exists", () => {
  const files = [
    "bin",
    "cli",
    "console",
    "contract",
    "docs",
    "docs-site",
    "scripts",
    "sdk",
    "shared",
    "src",
    "test",
  ].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => join(folder, name))
      .filter((name) => !name.includes("node_modules")),
  );
  const exists = (name: string): boolean => files.includes(name) || files.some((file) => file.endsWith(`/${name}`));
  // With its folder, or a module by its name alone.
  const path = /`((?:bin|cli|console|contract|docs|docs-site|scripts|sdk|shared|src|test)\/[\w./-]*\w|[\w.-]+\.tsx?)`/g;
  const named = pages.flatMap((page) => [...textOf(page).matchAll(path)].map(([, name = ""]) => ({ page, name })));
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter(({ name }) => !exists(name))).toEqual([]);
});

test("the index lists every page of docs/ once, and none that does not exist", () => {
  const entries = entriesOf(parseNavigation(textOf(INDEX_FILE)));
  const listed = entries.map(({ file }) => file).filter((file) => /^docs\/.*\.md$/.test(file));
  const files = readdirSync(join(root, "docs"))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .map((name) => `docs/${name}`);
  expect(listed.toSorted()).toEqual(files.toSorted());
  expect(new Set(entries.map(({ path }) => path)).size).toBe(entries.length);
});

test("the code layout lists every folder of the code, and none that does not exist", () => {
  const [, layout = ""] = /^## Code layout\n\n```\n([\s\S]*?)```/m.exec(textOf("CONTRIBUTING.md")) ?? [];
  // A line is one or several folders, indented below the folder that they are in, and what they are for.
  const listed = layout
    .split("\n")
    .filter((line) => line.startsWith("  "))
    .flatMap((line) => [...(/^ +((?:[\w-]+\/ ?)+)/.exec(line)?.[1]?.matchAll(/[\w-]+/g) ?? [])].map(([name]) => name));
  const folders = readdirSync(join(root, "src"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  expect(listed.toSorted()).toEqual(folders.toSorted());
});

test("the operations page lists every metric, and none that does not exist", () => {
  const named = textOf(join("docs", "operations.md")).match(/\bkurz_[a-z_]+/g) ?? [];
  expect(named.map(familyOf)).toEqual(expect.arrayContaining(Object.keys(families) as FamilyName[]));
});

test("the server accepts the settings that pages give as examples", () => {
  const blocks = pages.flatMap((page) =>
    [...textOf(page).matchAll(/^```ini\n((?:\w+='.*'\n)+)```$/gm)].map(([, settings = ""]) => settings),
  );
  expect(blocks.length).toBeGreaterThanOrEqual(2);
  for (const block of blocks) {
    const settings = [...block.matchAll(/^(\w+)='(.*)'$/gm)].map(([, name = "", value = ""]) => [name, value]);
    expect(() => loadConfig(Object.fromEntries(settings))).not.toThrow();
  }
});

test("every message of the server that a page quotes is in the code", () => {
  const logged = ["operations.md", "troubleshooting.md"]
    .flatMap((page) => [
      ...textOf(join("docs", page))
        .replace(/^```[\s\S]*?^```$/gm, "")
        .replace(/\s+/g, " ")
        .matchAll(/`([a-z][a-z,;: ]+)`/g),
    ])
    .map(([, message = ""]) => message)
    .filter((message) => message.split(" ").length > 3);
  expect(logged.length).toBeGreaterThan(5);
  const [, printed = ""] = /```text\n(.+)\n/.exec(textOf(join("docs", "console.md"))) ?? [];
  expect(printed).not.toBe("");
  const code = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
    .map((name) => textOf(join("src", name)))
    .join("\n");
  expect([...logged, printed].filter((message) => !code.includes(message))).toEqual([]);
});

describe("decision records", () => {
  const folder = join("docs", "decisions");
  const records = readdirSync(join(root, folder))
    .filter((name) => name.endsWith(".md") && name !== "README.md")
    .toSorted();

  test("are numbered without a gap", () => {
    expect(records.length).toBeGreaterThanOrEqual(30);
    expect(records.map((name) => Number(/^(\d{4})-[a-z0-9-]+\.md$/.exec(name)?.[1]))).toEqual(
      records.map((_, index) => index + 1),
    );
  });

  test.each(records)("%s has the outline of all the others", (name) => {
    const text = textOf(join(folder, name));
    const [title = "", status = ""] = text.split("\n\n");
    expect(title).toMatch(new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`));
    expect(status).toMatch(/^Status: (?:accepted|superseded)\. Date: \d{4}-\d{2}-\d{2}\.(?:\s|$)/);
    const sections = text.split(/^## /m).slice(1);
    expect(sections.map((section) => section.split("\n", 1)[0])).toEqual([
      "Context",
      "Options",
      "Decision",
      "Consequences",
    ]);
    expect(sections.filter((section) => section.split("\n").length < 4)).toEqual([]);
    expect(text.split("\n").length).toBeLessThanOrEqual(81);
  });

  test("are listed in the index, each with its title", () => {
    const rows = records.map((name) => {
      const [, number, title] = /^# (\d+)\. (.+)$/m.exec(textOf(join(folder, name))) ?? [];
      return `| ${number} | [${title}](${name}) |`;
    });
    const index = textOf(join(folder, "README.md"));
    expect(index.split("\n").filter((line) => /^\| \d/.test(line))).toEqual(rows);
  });
});
