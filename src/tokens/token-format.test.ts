import { expect, test } from "bun:test";
import CRC32 from "crc-32";
import fc from "fast-check";
import { encodeBase62 } from "#kernel/base62.ts";
import { hashToken, newToken, parseTokenId } from "./token-format.ts";

const VECTOR = "kurz_4fJq81ZkWx0B_abcdefghijABCDEFGHIJ0123456789abcdefghijXYZ3i5cC8";

test("the published vector parses and hashes as documented", () => {
  expect(parseTokenId(VECTOR)).toBe("4fJq81ZkWx0B");
  expect(hashToken(VECTOR)).toBe("bc532f17242f1b72b4eb595d185c1ee6e54b011e9a01f8536ece467b4c582c58");
});

test("every new token parses back to its id, and its checksum matches an independent CRC-32", () => {
  for (let count = 0; count < 500; count += 1) {
    const { id, value } = newToken();
    expect(value).toMatch(/^kurz_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect(parseTokenId(value)).toBe(id);
    expect(value.slice(-6)).toBe(encodeBase62(CRC32.str(value.slice(0, -6)) >>> 0, 6));
  }
});

test("a token with any one character changed is refused", () => {
  const characters = fc.constantFrom(..."0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_- é");
  fc.assert(
    fc.property(fc.nat({ max: 66 }), characters, (place, character) => {
      const { value } = newToken();
      fc.pre(value[place] !== character);
      expect(parseTokenId(value.slice(0, place) + character + value.slice(place + 1))).toBeNull();
    }),
    { numRuns: 1000 },
  );
});

test("no other text is accepted as a token", () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (text) => parseTokenId(text) === null));
  for (const text of ["", `${VECTOR} `, ` ${VECTOR}`, VECTOR.toLowerCase(), VECTOR.slice(1), `${VECTOR}0`]) {
    expect(parseTokenId(text)).toBeNull();
  }
});
