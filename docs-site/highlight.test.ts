import { expect, test } from "bun:test";
import { highlight } from "./highlight.ts";

/** `[kind text]` for each coloured part. */
const partsOf = (code: string, language: string): string[] =>
  [...highlight(code, language).matchAll(/<span class="code-(\w+)">([^<]*)<\/span>/g)].map(
    ([, kind, text]) => `${kind} ${text}`,
  );

test("code keeps its text, whatever is in it", () => {
  const code = `curl "<b>&'" # a <comment>\nif (a < b && c) { "x": 'y' }`;
  for (const language of ["sh", "json", "ts", "ini", "nginx", "yaml", "sql", "python", "none"]) {
    const plain = highlight(code, language)
      .replace(/<\/?span[^>]*>/g, "")
      .replace(/&lt;/g, "<")
      .replace(/&gt;/g, ">")
      .replace(/&quot;/g, '"')
      .replace(/&#39;/g, "'")
      .replace(/&amp;/g, "&");
    expect({ language, plain }).toEqual({ language, plain: code });
  }
});

test.each([
  [
    "sh",
    'curl -s "a b" | jq . # note',
    ["keyword curl", "name -s", "string &quot;a b&quot;", "keyword jq", "comment # note"],
  ],
  ["sh", "TOKEN=$(kurz tokens list) # x", ["keyword kurz", "comment # x"]],
  [
    "json",
    '{ "a": "b", "c": 1, "d": null }',
    [
      "name &quot;a&quot;",
      "string &quot;b&quot;",
      "name &quot;c&quot;",
      "value 1",
      "name &quot;d&quot;",
      "keyword null",
    ],
  ],
  ["ts", "const a = `x`; // 1", ["keyword const", "string `x`", "comment // 1"]],
  ["ini", "[Unit]\nA_B='c'\n# d", ["keyword [Unit]", "name A_B", "string &#39;c&#39;", "comment # d"]],
  ["text", "const a = 1", []],
])("%s: %s", (language, code, parts) => {
  expect(partsOf(code, language)).toEqual(parts);
});
