import { expect, test } from "bun:test";
import { join } from "node:path";

// A thread of its own exists before, and another one is started meanwhile.
const SCRIPT = `
const { readdirSync, readFileSync } = await import("node:fs");
const { keepToCores } = await import(${JSON.stringify(join(import.meta.dir, "own-cores.ts"))});
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
const letGo = keepToCores((all) => all.slice(-1));
await startThread();
seen.meanwhile = cores();
letGo();
seen.after = cores();
keepToCores((all) => all);
seen.all = cores();
keepToCores(() => []);
seen.none = cores();
console.log(JSON.stringify(seen));
process.exit(0);
`;

test("all threads keep to the chosen cores until they are let go", async () => {
  const child = Bun.spawn([process.execPath, "-e", SCRIPT], { stdout: "pipe" });
  const { before, ...seen } = JSON.parse(await child.stdout.text());
  expect(before).toHaveLength(1);
  const last = [before[0].split(/[-,]/).at(-1)];
  expect(seen).toEqual({ meanwhile: last, after: before, all: before, none: before });
});
