import { expect, test } from "bun:test";
import { commands } from "../../cli/src/command-list.ts";
import { parseCommandLine } from "./parse-command-line.ts";
import { userCommands } from "./user-commands.ts";

test("every command of the users' command line is known here", () => {
  const names = commands.filter(({ hidden }) => !hidden).map(({ name }) => name);
  expect([...userCommands].toSorted()).toEqual(names.toSorted());
});

test.each(["shorten https://example.com/", "links list", "login", "qr sale --out sale.png"])(
  "kurz %s says where to find the command",
  (line) => {
    expect(() => parseCommandLine(line.split(" "))).toThrow(/is a command for users of an instance; .*docs\/cli\.md/);
  },
);

test("a command that operators have, too, is theirs", () => {
  expect(parseCommandLine(["links", "restore", "sale"])).toMatchObject({ command: { name: "links restore" } });
});
