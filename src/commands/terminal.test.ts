import { expect, test } from "bun:test";
import { readPasswordFrom } from "./terminal.ts";

const streamOf = (...chunks: readonly (string | Uint8Array)[]): ReadableStream<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks)
        controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      controller.close();
    },
  });

test("a password loses one trailing newline and nothing else", async () => {
  expect(await readPasswordFrom(streamOf("secret\n"))).toBe("secret");
  expect(await readPasswordFrom(streamOf("secret\r\n"))).toBe("secret");
  expect(await readPasswordFrom(streamOf("secret"))).toBe("secret");
  expect(await readPasswordFrom(streamOf(" sec", "ret \n", "\n"))).toBe(" secret \n");
  expect(await readPasswordFrom(streamOf())).toBe("");
});

test("a letter that is split over two chunks stays one letter", async () => {
  const bytes = new TextEncoder().encode("pässword");
  expect(await readPasswordFrom(streamOf(bytes.slice(0, 2), bytes.slice(2)))).toBe("pässword");
});

test("input that is not valid UTF-8 is refused", async () => {
  await expect(readPasswordFrom(streamOf(new Uint8Array([0xff, 0xfe])))).rejects.toThrow("not UTF-8");
  await expect(readPasswordFrom(streamOf("x".repeat(5000)))).rejects.toThrow("too long");
});
