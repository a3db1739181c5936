import { expect, test } from "bun:test";
import { join } from "node:path";

const SCRIPT = `
const { readFileSync } = await import("node:fs");
const { stayOnCore } = await import(${JSON.stringify(join(import.meta.dir, "stay-on-core.ts"))});
const coresOf = (thread) => /^Cpus_allowed_list:\\s*(\\S+)/m.exec(readFileSync("/proc/" + thread + "/status", "utf8"))[1];
const before = coresOf("thread-self");
const wasGranted = stayOnCore(0);
console.log(JSON.stringify({ before, wasGranted, after: coresOf("thread-self"), isBeyond: stayOnCore(1) }));
`;

test("a thread that stays on a core gets the last one it may use, and none that isn't there", async () => {
  const child = Bun.spawn([process.execPath, "-e", SCRIPT], { stdout: "pipe" });
  const { before, wasGranted, after, isBeyond } = JSON.parse(await child.stdout.text());
  expect(wasGranted).toBe(true);
  expect(after).toBe(before.split(/[-,]/).at(-1));
  expect(isBeyond).toBe(false);
});
