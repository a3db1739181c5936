import { expect, test } from "bun:test";
import { join } from "node:path";

const TAKER = join(import.meta.dir, "fixtures", "port-taker.ts");
const PROCESSES = 4;
// So many that some would be the same by chance.
const PORTS = 300;

test("a port is given to one caller only, whatever process asks", async () => {
  const takers = Array.from({ length: PROCESSES }, () =>
    Bun.spawn([process.execPath, TAKER, `${PORTS}`], { stdin: "pipe", stdout: "pipe", stderr: "inherit" }),
  );
  const ports = await Promise.all(
    takers.map(async ({ stdout }) => {
      for await (const chunk of stdout) return Buffer.from(chunk).toString().trim().split(" ");
      return [];
    }),
  );
  for (const { stdin } of takers) await stdin.end();
  await Promise.all(takers.map(({ exited }) => exited));
  expect(ports.flat()).toHaveLength(PROCESSES * PORTS);
  expect(new Set(ports.flat()).size).toBe(PROCESSES * PORTS);
});
