import { expect, test } from "bun:test";
import { listedCommands } from "./command-list.ts";
import { commandsMarkdown } from "./commands-page.ts";
import { usageOf } from "./help.ts";

test("the page lists every command with its usage, except hidden ones", () => {
  const page = commandsMarkdown();
  for (const command of listedCommands) expect(page).toContain(usageOf(command));
  expect(page).not.toContain("exists --email");
});
