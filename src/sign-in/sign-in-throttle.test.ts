import { expect, test } from "bun:test";
import { ApiError } from "#kernel/api-error.ts";
import { SignInThrottle } from "./sign-in-throttle.ts";

const MINUTE_MS = 60_000;

function openThrottle() {
  let now = 0;
  const throttle = new SignInThrottle({ now: () => now });
  /** What an attempt that fails is answered: nothing, or how many seconds to wait. */
  const fail = (account: string, address = "192.0.2.1"): number | null => {
    try {
      throttle.begin(account, address);
      return null;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== "rate_limited") throw error;
      return Number(error.headers["retry-after"]);
    }
  };
  return {
    throttle,
    fail,
    pass(ms: number) {
      now += ms;
    },
  };
}

test("after five failures each further one doubles the wait, up to fifteen minutes", () => {
  const { fail, pass } = openThrottle();
  const waits: number[] = [];
  for (let attempt = 0; attempt < 5; attempt += 1) expect(fail("ada", `192.0.2.${attempt}`)).toBeNull();
  for (let attempt = 5; attempt < 18; attempt += 1) {
    const wait = fail("ada", `192.0.2.${attempt}`) ?? 0;
    waits.push(wait);
    pass(wait * 1000 - 1);
    expect(fail("ada", `192.0.2.${attempt}`)).toBe(1);
    pass(1);
    expect(fail("ada", `192.0.2.${attempt}`)).toBeNull();
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
});

test("another account is not held up", () => {
  const { fail } = openThrottle();
  for (let attempt = 0; attempt < 8; attempt += 1) fail("ada");
  expect([fail("ada"), fail("bob")]).toEqual([1, null]);
});

test("an address may fail twenty times in fifteen minutes, whatever accounts it tries", () => {
  const { fail, pass } = openThrottle();
  for (let attempt = 0; attempt < 20; attempt += 1) expect(fail(`person ${attempt}`)).toBeNull();
  expect(fail("person 20")).toBe(900);
  expect(fail("person 20", "192.0.2.2")).toBeNull();
  pass(15 * MINUTE_MS + 1);
  expect(fail("person 20")).toBeNull();
});

test("the addresses of one IPv6 network count as one", () => {
  const { fail } = openThrottle();
  for (let attempt = 0; attempt < 20; attempt += 1) fail(`person ${attempt}`, `2001:db8::${attempt}`);
  expect(fail("person 20", "2001:db8::ffff")).toBe(900);
});

test("what is tried on nobody in particular is slowed down for the whole network that tries it", () => {
  const { throttle } = openThrottle();
  for (let attempt = 0; attempt < 5; attempt += 1) throttle.beginFrom(`2001:db8::${attempt}`, "sign-up");
  expect(() => throttle.beginFrom("2001:db8::ffff", "sign-up")).toThrow("Too many attempts");
  throttle.beginFrom("2001:db8::ffff", "code");
  throttle.beginFrom("2001:db8:1::1", "sign-up");
});

test("failures are forgotten after a day without any, and not before", () => {
  const { fail, pass } = openThrottle();
  for (let attempt = 0; attempt < 14; attempt += 1) {
    pass((fail("ada", `192.0.2.${attempt}`) ?? 0) * 1000);
    fail("ada", `192.0.2.${attempt}`);
  }
  pass(23 * 60 * MINUTE_MS);
  expect([fail("ada"), fail("ada")]).toEqual([null, 900]);
  pass(24 * 60 * MINUTE_MS);
  expect(Array.from({ length: 6 }, () => fail("ada"))).toEqual([null, null, null, null, null, 1]);
});

test("attempts that run at the same time count before any of them has ended", () => {
  const { fail } = openThrottle();
  expect(Array.from({ length: 7 }, () => fail("ada"))).toEqual([null, null, null, null, null, 1, 1]);
});

test("a success clears the account, and counts for nothing at the address", () => {
  const { throttle, fail } = openThrottle();
  for (let attempt = 0; attempt < 4; attempt += 1) fail("ada");
  for (let attempt = 0; attempt < 30; attempt += 1) throttle.begin("ada", "192.0.2.1")();
  for (let attempt = 0; attempt < 5; attempt += 1) expect(fail("ADA")).toBeNull();
  expect(fail("ada")).toBe(1);
});
