import { expect, test } from "bun:test";
import { join } from "node:path";

const drill = join(import.meta.dir, "..", "fleet", "drill.ts");

// In a process of its own, which enters a network of its own.
test("three nodes lose nothing and answer for known links while PostgreSQL, Redis, a node or a cable is away", async () => {
  const child = Bun.spawn([process.execPath, drill, "--only", "faults", "--quick"], { stdout: "pipe", stderr: "pipe" });
  const [table, problems, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  process.stderr.write(code === 0 ? table : table + problems);
  expect([code, problems.split("\n").filter((line) => line.startsWith("PROBLEM"))]).toEqual([0, []]);
}, 900_000);
