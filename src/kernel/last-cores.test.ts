import { expect, test } from "bun:test";
import { availableParallelism } from "node:os";
import { join } from "node:path";

// A thread of its own exists before, and another one is started meanwhile.
const SCRIPT = `
const { readdirSync, readFileSync } = await import("node:fs");
const { keepToLastCores } = await import(${JSON.stringify(join(import.meta.dir, "last-cores.ts"))});
const cores = () => {
  const lists = readdirSync("/proc/self/task").map((thread) => {
    return /^Cpus_allowed_list:\\s*(\\S+)/m.exec(readFileSync("/proc/self/task/" + thread + "/status", "utf8"))[1];
  });
  return [...new Set(lists)];
};
const startThread = () => new Promise((resolve) => {
  const worker = new Worker(URL.createObjectURL(new Blob(["postMessage(1); setInterval(() => {}, 1000)"])));
  worker.onmessage = resolve;
});
await startThread();
const seen = { before: cores() };
const first = keepToLastCores(1);
const second = keepToLastCores(1);
await startThread();
seen.meanwhile = cores();
first();
first();
seen.stillHeld = cores();
second();
seen.after = cores();
keepToLastCores(${availableParallelism()})();
seen.unchanged = cores();
console.log(JSON.stringify(seen));
process.exit(0);
`;

test("all threads keep to the last core until the last holder lets go", async () => {
  const child = Bun.spawn([process.execPath, "-e", SCRIPT], { stdout: "pipe" });
  const { before, meanwhile, stillHeld, after, unchanged } = JSON.parse(await child.stdout.text());
  expect(before).toHaveLength(1);
  const last = [before[0].split(/[-,]/).at(-1)];
  expect({ meanwhile, stillHeld, after, unchanged }).toEqual({
    ...{ meanwhile: last, stillHeld: last },
    ...{ after: before, unchanged: before },
  });
});
