import { expect, test } from "bun:test";
import { matchCommands } from "./match-commands.ts";

const commands = [
  { group: "Actions", label: "Create link", keywords: "new shorten" },
  { group: "Actions", label: "Create API token", keywords: "new key secret" },
  { group: "Go to", label: "Links" },
  { group: "Go to", label: "API tokens", keywords: "key developer" },
  { group: "Appearance", label: "Dark theme", keywords: "night mode" },
];
const found = (text: string) => matchCommands(commands, text).map(({ label }) => label);

test("without a text every command is offered, in its order", () => {
  expect(found("  ")).toEqual(commands.map(({ label }) => label));
});

test("every word must be found, in the label, the group or the keywords", () => {
  expect(found("token create")).toEqual(["Create API token"]);
  expect(found("night")).toEqual(["Dark theme"]);
  expect(found("appearance")).toEqual(["Dark theme"]);
  expect(found("nowhere")).toEqual([]);
});

test("what begins with the text comes before what only has it, and groups stay together", () => {
  expect(found("link")).toEqual(["Links", "Create link"]);
  expect(found("key")).toEqual(["Create API token", "API tokens"]);
  expect(found("api")).toEqual(["API tokens", "Create API token"]);
});
