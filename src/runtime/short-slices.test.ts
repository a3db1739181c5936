import { expect, test } from "bun:test";
import { release } from "node:os";
import { join } from "node:path";

const SCRIPT = `
const { readFileSync } = await import("node:fs");
const { setPriority, getPriority } = await import("node:os");
const { askForShortSlices } = await import(${JSON.stringify(join(import.meta.dir, "short-slices.ts"))});
setPriority(3);
const wasGranted = askForShortSlices();
const slice = /^se\\.slice\\s*:\\s*(\\d+)/m.exec(readFileSync("/proc/self/sched", "utf8"))?.[1] ?? null;
console.log(JSON.stringify({ wasGranted, slice, niceness: getPriority() }));
`;

const [major = 0, minor = 0] = release().split(".").map(Number);
const isGiven = major > 6 || (major === 6 && minor >= 12);

test("a process that asks for short slices keeps its priority, and gets them if the kernel supports them", async () => {
  const child = Bun.spawn([process.execPath, "-e", SCRIPT], { stdout: "pipe" });
  const { wasGranted, slice, niceness } = JSON.parse(await child.stdout.text());
  expect(niceness).toBe(3);
  expect(wasGranted).toBe(true);
  // Kernels before 6.12 take the wish and keep their own turns; some do not tell.
  if (isGiven && slice !== null) expect(slice).toBe("100000");
});
