import { expect, test } from "bun:test";
import { join } from "node:path";

/** Field 19 of a thread's `stat`, counted after the name, which may hold spaces. */
const SCRIPT = `
const { readdirSync, readFileSync } = await import("node:fs");
const { lowerPriority } = await import(${JSON.stringify(join(import.meta.dir, "lower-priority.ts"))});
// Reading a file asynchronously has the runtime start threads of its own.
await Bun.file("/proc/version").text();
lowerPriority(7);
await Bun.file("/proc/version").text();
const threads = readdirSync("/proc/self/task").map((id) => readFileSync("/proc/self/task/" + id + "/stat", "utf8"));
console.log(JSON.stringify(threads.map((stat) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]))));
`;

test("every thread of a process steps back, also those that the runtime started before", async () => {
  const child = Bun.spawn([process.execPath, "-e", SCRIPT], { stdout: "pipe" });
  const priorities = JSON.parse(await child.stdout.text()) as number[];
  expect(priorities.length).toBeGreaterThan(1);
  expect(priorities.filter((niceness) => niceness < 7)).toEqual([]);
});
