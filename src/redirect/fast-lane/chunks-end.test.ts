import { expect, test } from "bun:test";
import fc from "fast-check";
import { chunked } from "#test/support/raw-message.ts";
import { ChunksEnd } from "./chunks-end.ts";

test("the end is found however the chunks are split, and nothing after it is consumed", () => {
  fc.assert(
    fc.property(
      fc.string({ maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 1, max: 30 }),
      (text, size, cut) => {
        const body = chunked(text, size);
        const bytes = Buffer.concat([body, Buffer.from("HTTP/1.1 200 OK")]);
        const end = new ChunksEnd();
        let taken = 0;
        for (let at = 0; at < bytes.length && !end.isComplete; at += cut)
          taken += end.pass(bytes.subarray(at, at + cut));
        expect([end.isComplete, taken]).toEqual([true, body.length]);
      },
    ),
  );
});

test("it knows where a body can be ended early", () => {
  const end = new ChunksEnd();
  const isBetween = (text: string): boolean => {
    end.pass(Buffer.from(text));
    return end.isBetween;
  };
  expect([isBetween("3\r\nabc\r\n"), isBetween("1"), isBetween("0\r\n"), isBetween("0123456789abcdef\r\n")]).toEqual([
    true,
    false,
    false,
    true,
  ]);
});

test.each(["x\r\n", "-1\r\n", "3;a=b\r\n", "\r\n", "1".repeat(70), "3\n"])(
  "an invalid chunk size is refused: %j",
  (text) => {
    expect(() => new ChunksEnd().pass(Buffer.from(text))).toThrow();
  },
);
