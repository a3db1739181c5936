import { expect, test } from "bun:test";
import { join } from "node:path";
import { startRedisServer } from "#test/support/redis-server.ts";

const TAKER = join(import.meta.dir, "fixtures", "window-taker.ts");
const LIMIT = 120;
const TIMES = 100;

test("three processes that ask at once get exactly 120 requests a minute between them", async () => {
  const server = await startRedisServer();
  const takers = Array.from({ length: 3 }, () =>
    Bun.spawn(["bun", TAKER, server.url, "a token", `${LIMIT}`, `${TIMES}`], { stdin: "pipe", stdout: "pipe" }),
  );
  try {
    const outputs = takers.map(({ stdout }) => linesOf(stdout));
    for (const output of outputs) expect((await output.next()).value).toBe("ready");
    for (const { stdin } of takers) {
      stdin.write("go\n");
      stdin.flush();
    }
    const results = await Promise.all(
      outputs.map(async (output) => (await output.next()).value?.split(" ").map(Number)),
    );
    const [accepted, fallbacks] = [0, 1].map((column) => results.map((result) => result?.[column] ?? Number.NaN));
    expect(fallbacks).toEqual([0, 0, 0]);
    expect(accepted?.reduce((sum, count) => sum + count, 0)).toBe(LIMIT);
  } finally {
    for (const taker of takers) taker.kill("SIGKILL");
    await server.stop();
  }
});

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + Buffer.from(chunk).toString()).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}
