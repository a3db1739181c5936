import { expect, test } from "bun:test";
import { join } from "node:path";

const runFixture = (file: string, ...args: readonly string[]) => {
  const command = [process.execPath, join(import.meta.dir, "fixtures", file), ...args];
  const { stderr, exitCode } = Bun.spawnSync(command, { stdout: "ignore", stderr: "pipe" });
  return { output: stderr.toString(), exitCode };
};

const runStep = (expected: string) => runFixture("one-step.ts", expected);

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

test("a step's CPU time includes that of all its processes, beside how busy the machine was", () => {
  const { output } = runFixture("busy-step.ts");
  const times = /^── busy: ok in (\d+\.\d) s, (\d+\.\d) s of CPU, cores \d+ % busy$/m;
  const [, seconds, cpuSeconds] = output.match(times) ?? [];
  expect(Number(cpuSeconds)).toBeGreaterThanOrEqual(0.3);
  expect(Number(seconds)).toBeGreaterThan(0);
});
