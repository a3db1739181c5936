import { expect, test } from "bun:test";
import { join } from "node:path";

const runStep = (expected: string) => {
  const command = [process.execPath, join(import.meta.dir, "fixtures", "one-step.ts"), expected];
  const { stderr, exitCode } = Bun.spawnSync(command, { stdout: "ignore", stderr: "pipe" });
  return { output: stderr.toString(), exitCode };
};

test("a step with settings of its own counts each of its tests", () => {
  const { output, exitCode } = runStep("yes");
  expect(output).toEndWith("\n2 passed, 0 failed\n");
  expect(exitCode).toBe(0);
});

test("and lists each that failed", () => {
  const { output, exitCode } = runStep("no");
  expect(output).toEndWith("\n0 passed, 2 failed\n");
  expect(output.split("── failed in counted:")).toHaveLength(3);
  expect(exitCode).toBe(1);
});
