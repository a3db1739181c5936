import { expect, test } from "bun:test";
import { KEY_CHARACTERS_MAX, Remembered } from "./remembered.ts";

test("a result is computed once while it is in use, and what is kept has a bound", () => {
  let computed = 0;
  const lengths = new Remembered(100, (text) => {
    computed += 1;
    return text.length;
  });
  for (let n = 0; n < 1000; n += 1) {
    expect(lengths.get("often")).toBe(5);
    lengths.get(`once ${n}`);
    expect(lengths.size).toBeLessThanOrEqual(100);
  }
  expect(computed).toBe(1001);
  lengths.clear();
  expect(lengths.size).toBe(0);
});

test("only the beginning of a long text is considered", () => {
  const texts = new Remembered(10, (text) => text);
  const long = "é".repeat(KEY_CHARACTERS_MAX);
  expect(texts.get(`${long}a`)).toBe(long);
  expect(texts.get(`${long}b`)).toBe(long);
  expect(texts.size).toBe(1);
});
