import { expect, test } from "bun:test";
import { join } from "node:path";
import type { Prompts } from "./command.ts";
import { exportAccount } from "./export.command.ts";

const noPrompts: Prompts = {
  invoke: () => Promise.reject(new Error("nothing else is run")),
  readPassword: () => Promise.reject(new Error("nothing is asked for")),
  setting: () => undefined,
};

test("a relative path is made absolute before the server gets it", async () => {
  const sent = await exportAccount.ask({ file: "acme.tar.gz", account: "acc_1" }, noPrompts);
  expect(sent).toEqual({ file: join(process.cwd(), "acme.tar.gz"), account: "acc_1" });
});
