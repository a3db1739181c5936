import { expect, test } from "bun:test";
import { streamText } from "./stream-text.ts";
import { streamedResponse } from "./text-response.ts";

function parts(texts: readonly string[], fails = false) {
  const seen = { read: 0, isClosed: false };
  async function* generate() {
    try {
      for (const text of texts) {
        seen.read += 1;
        yield text;
      }
      if (fails) throw new Error("broken");
    } finally {
      seen.isClosed = true;
    }
  }
  return { seen, generator: generate() };
}

const init = { status: 200, headers: {}, accepted: null };

test("a text arrives in parts, compressed for clients that accept it", async () => {
  const texts = Array.from({ length: 500 }, (_, index) => `line ${index}\n`);
  for (const accepted of [null, "gzip"]) {
    const { generator, seen } = parts(texts);
    const response = streamedResponse(await streamText(generator, false), { ...init, accepted });
    expect(response.headers.get("content-encoding")).toBe(accepted);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect(Buffer.from(accepted ? Bun.gunzipSync(bytes) : bytes).toString()).toBe(texts.join(""));
    expect(seen.isClosed).toBe(true);
  }
});

test("what fails before the first part is an error, and later the body ends with one", async () => {
  const empty = parts([], true);
  await expect(streamText(empty.generator, false)).rejects.toThrow("broken");
  const late = parts(["a"], true);
  const response = streamedResponse(await streamText(late.generator, false), init);
  await expect(response.text()).rejects.toThrow("broken");
});

test("a client that goes away, or wants the headers only, ends the reading", async () => {
  const left = parts(["a", "b", "c", "d", "e", "f"]);
  const body = await streamText(left.generator, false);
  await body.cancel();
  expect(left.seen.isClosed).toBe(true);
  expect(left.seen.read).toBeLessThan(4);
  const head = parts(["a", "b"]);
  expect(await new Response(await streamText(head.generator, true)).text()).toBe("");
  expect(head.seen).toEqual({ read: 1, isClosed: true });
});
