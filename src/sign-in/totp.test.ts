import { expect, test } from "bun:test";
import { findStep, toBase32, totpUri } from "./totp.ts";

const SECRET = "12345678901234567890";

/** RFC 6238, appendix B, of whose eight digits the last six are ours. */
test.each([
  [59, "287082"],
  [1111111109, "081804"],
  [1111111111, "050471"],
  [1234567890, "005924"],
  [2000000000, "279037"],
  [20000000000, "353130"],
])("the code at %d seconds is the published one", (seconds, code) => {
  expect(findStep(SECRET, code, seconds * 1000)).toBe(Math.floor(seconds / 30));
});

test("a code is accepted one step early or late, and no further", () => {
  const step = Math.floor(1111111109 / 30);
  const at = (steps: number) => findStep(SECRET, "081804", (step + steps) * 30_000);
  expect([-2, -1, 0, 1, 2].map(at)).toEqual([null, step, step, step, null]);
});

test.each(["", "28708", "2870820", "28708x", "000000"])("%j is no code", (code) => {
  expect(findStep(SECRET, code, 59_000)).toBeNull();
});

test("the secret is encoded as RFC 4648 base 32", () => {
  expect(["", "f", "fo", "foo", "foob", "fooba", "foobar"].map(toBase32)).toEqual([
    "",
    "MY",
    "MZXQ",
    "MZXW6",
    "MZXW6YQ",
    "MZXW6YTB",
    "MZXW6YTBOI",
  ]);
});

test("the URI contains issuer, account and secret for authenticator apps", () => {
  const uri = new URL(totpUri("foobar", "ada+x@example.com"));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    "otpauth:",
    "totp",
    "/Kurz:ada+x@example.com",
  ]);
  expect(Object.fromEntries(uri.searchParams)).toEqual({
    secret: "MZXW6YTBOI",
    issuer: "Kurz",
    digits: "6",
    period: "30",
  });
});
