import { expect, test } from "bun:test";
import { WaitingClicks } from "./waiting-clicks.ts";

test("answered clicks never share a block with clicks whose answers wait for it", () => {
  const waiting = new WaitingClicks({ charsMax: 1000, bytesMax: 10_000 });
  expect([waiting.add("one\n", [], true), waiting.add("two\n", [], true)]).toEqual([undefined, undefined]);
  expect(waiting.add("three\n", [], false)).toBeInstanceOf(Promise);
  const blocks = [waiting.take(), waiting.take(), waiting.take()];
  expect(blocks.map((block) => block && [block.clicks, block.isEarly])).toEqual([[2, true], [1, false], undefined]);
});
