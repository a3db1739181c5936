import { describe, expect, test } from "bun:test";
import { newRequestId, requestIdOf } from "./request-id.ts";

const PATTERN = /^req_[0-9a-hjkmnp-tv-z]{26}$/;
const requestWith = (id: string): Request => new Request("http://localhost/", { headers: { "x-request-id": id } });

describe("a request id", () => {
  test("is a ULID of now and never repeats", () => {
    const ids = Array.from({ length: 100_000 }, newRequestId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.every((id) => PATTERN.test(id))).toBe(true);
    const digits = "0123456789abcdefghjkmnpqrstvwxyz";
    const time = [...(ids[0] ?? "").slice(4, 14)].reduce((sum, digit) => sum * 32 + digits.indexOf(digit), 0);
    expect(Math.abs(time - Date.now())).toBeLessThan(10_000);
  });

  test("from a client is ignored", () => {
    expect(requestIdOf(requestWith("abcdefgh1234"), false)).toMatch(PATTERN);
  });

  test("from a trusted proxy is kept if it is harmless", () => {
    expect(requestIdOf(requestWith("abcdefgh-12_34"), true)).toBe("abcdefgh-12_34");
    for (const bad of ["short", "a".repeat(65), "has space", 'quote"quote', "semi;colon"]) {
      expect(requestIdOf(requestWith(bad), true)).toMatch(PATTERN);
    }
    expect(requestIdOf(new Request("http://localhost/"), true)).toMatch(PATTERN);
  });
});
