import { describe, expect, test } from "bun:test";
import { commands } from "./command-list.ts";
import { helpText, usageOf } from "./help.ts";
import { parseCommandLine } from "./parse-command-line.ts";

const parse = (...argv: string[]) => parseCommandLine(argv, commands);

test("a command has its arguments and options, in any order", () => {
  const line = parse("links", "list", "--tag", "spring", "--json", "--tag=sale", "--limit", "5");
  expect(line).toMatchObject({ kind: "command", command: { name: "links list" } });
  if (line.kind !== "command") throw new Error("no command");
  expect(line.input.texts("tag")).toEqual(["spring", "sale"]);
  expect([line.input.text("limit"), line.input.flag("json"), line.input.flag("all")]).toEqual(["5", true, false]);
});

test.each([
  [["shorten"], "shorten needs URL"],
  [["shorten", "a", "b"], 'unexpected argument "b"'],
  [["shortn", "a"], 'unknown command "shortn"; did you mean "shorten"?'],
  [["links", "lst"], 'unknown command "links lst"; did you mean "links list"?'],
  [["links"], "links needs a command"],
  [["--json", "links"], 'a command must come before "--json"'],
  [["shorten", "a", "--slgu", "b"], "shorten has no option --slgu; did you mean --slug?"],
  [["shorten", "a", "--slug"], "--slug needs a value"],
  [["shorten", "a", "--slug", "x", "--slug", "y"], "--slug is given twice"],
  [["shorten", "a", "--reuse=yes"], "--reuse takes no value"],
  [["links", "list", "--state", "gone"], '--state must be one of active, paused, archived, deleted, all, not "gone"'],
])("%p is refused: %s", (argv, message) => {
  expect(() => parse(...argv)).toThrow(message);
});

test.each([[[]], [["--help"]], [["help"]], [["links", "--help"]], [["help", "links", "list"]], [["qr", "-h"]]])(
  "%p shows help",
  (argv) => {
    expect(parse(...argv).kind).toBe("help");
  },
);

describe("the help", () => {
  const listed = commands.filter(({ hidden }) => !hidden);

  test("lists every command, and no hidden one", () => {
    const text = helpText(null, commands);
    expect(listed.filter(({ name, summary }) => !text.includes(name) || !text.includes(summary))).toEqual([]);
    expect(text).not.toContain("__complete");
  });

  test.each(listed.map((command) => [command.name, command] as const))(
    "of %s names everything it takes",
    (_, command) => {
      const text = helpText(command, commands);
      expect(text).toStartWith(`Usage: ${usageOf(command)}\n`);
      for (const option of [...Object.keys(command.options ?? {}), "json", "profile", "help"])
        expect(text).toContain(`--${option}`);
      for (const { label } of command.positionals ?? []) expect(text).toContain(label);
    },
  );
});
