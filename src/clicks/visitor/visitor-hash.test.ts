import { describe, expect, test } from "bun:test";
import { createHmac } from "node:crypto";
import { CryptoHasher } from "bun";
import { visitorHash } from "./visitor-hash.ts";

const salt = Buffer.alloc(32, 7);
const salted = new CryptoHasher("sha256", salt);
const traits = { accountNo: 17, network: "203.0.113.9", userAgent: "Mozilla/5.0 é" };

describe("the visitor hash", () => {
  test("is the first eight bytes of the HMAC, as another implementation computes it", () => {
    const message = ["17", "203.0.113.9", "Mozilla/5.0 é"].join("\0");
    const expected = createHmac("sha256", salt).update(message).digest("hex").slice(0, 16);
    expect(visitorHash(salted, traits)).toBe(expected);
    expect(visitorHash(salted, traits)).toBe(expected);
  });

  test("differs by account, network, user agent and salt", () => {
    const other = new CryptoHasher("sha256", Buffer.alloc(32, 8));
    const hashes = [
      visitorHash(salted, traits),
      visitorHash(salted, { ...traits, accountNo: 18 }),
      visitorHash(salted, { ...traits, network: "203.0.113.8" }),
      visitorHash(salted, { ...traits, userAgent: "Mozilla/5.0" }),
      visitorHash(other, traits),
      visitorHash(salted, { accountNo: 1, network: "7", userAgent: "x" }),
      visitorHash(salted, { accountNo: 17, network: "", userAgent: "x" }),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
