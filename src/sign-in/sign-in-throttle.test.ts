import { expect, test } from "bun:test";
import { ApiError } from "#kernel/api-error.ts";
import { SignInThrottle } from "./sign-in-throttle.ts";

const MINUTE_MS = 60_000;

function openThrottle() {
  let now = 0;
  const throttle = new SignInThrottle({ now: () => now });
  /** What an attempt that fails is answered: nothing, or how many seconds to wait. */
  const fail = (account: string, clientAddress = "192.0.2.1", knownBy: string | null = null): number | null => {
    try {
      throttle.begin(account, { clientAddress, knownBy });
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
  for (const knownBy of [null, "a device"]) {
    const { fail, pass } = openThrottle();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) expect(fail("ada", "192.0.2.1", knownBy)).toBeNull();
    for (let attempt = 5; attempt < 18; attempt += 1) {
      const wait = fail("ada", "192.0.2.1", knownBy) ?? 0;
      waits.push(wait);
      pass(wait * 1000 - 1);
      expect(fail("ada", "192.0.2.1", knownBy)).toBe(1);
      pass(1);
      expect(fail("ada", "192.0.2.1", knownBy)).toBeNull();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  }
});

test("strangers slow down no returning person, neither on their account nor in their network", () => {
  const { fail } = openThrottle();
  for (let attempt = 0; attempt < 100; attempt += 1) {
    fail("ada", `192.0.2.${attempt}`);
    fail("ada", "198.51.100.1");
    fail(`person ${attempt}`, "198.51.100.1");
  }
  expect(fail("ada", "203.0.113.1")).toBe(900);
  expect(fail("bob", "198.51.100.1")).toBe(900);
  expect(fail("ada", "198.51.100.1", "her laptop")).toBeNull();
  for (let attempt = 0; attempt < 9; attempt += 1) fail("ada", "198.51.100.1", "her laptop");
  expect(fail("ada", "198.51.100.1", "her laptop")).toBe(1);
  expect(fail("ada", "198.51.100.1", "her phone")).toBeNull();
});

test("a stranger in one network doesn't slow down people in another", () => {
  const { fail } = openThrottle();
  for (let attempt = 0; attempt < 30; attempt += 1) fail("ada");
  expect([fail("ada"), fail("ada", "203.0.113.1")]).toEqual([1, null]);
});

test("all strangers together guess at most 146 times in a day at one account, from however many networks", () => {
  const { fail, pass } = openThrottle();
  let guesses = 0;
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    for (let n = 0; n < 20; n += 1) {
      if (fail("ada", `10.${minute >> 8}.${minute & 255}.${n}`) === null) guesses += 1;
    }
    pass(MINUTE_MS);
  }
  expect(guesses).toBeGreaterThan(100);
  expect(guesses).toBeLessThanOrEqual(50 + 96);
});

test("another account is not slowed down", () => {
  const { fail } = openThrottle();
  for (let attempt = 0; attempt < 8; attempt += 1) fail("ada");
  expect([fail("ada"), fail("bob")]).toEqual([1, null]);
});

test("an address may fail twenty times in fifteen minutes across all accounts", () => {
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

test("attempts that name no user are limited for the whole network", () => {
  const { throttle } = openThrottle();
  for (let attempt = 0; attempt < 5; attempt += 1) throttle.beginFrom(`2001:db8::${attempt}`, "sign-up");
  expect(() => throttle.beginFrom("2001:db8::ffff", "sign-up")).toThrow("Too many attempts");
  throttle.beginFrom("2001:db8::ffff", "code");
  throttle.beginFrom("2001:db8:1::1", "sign-up");
});

test("failures are forgotten after a day without any, and not before", () => {
  const { fail, pass } = openThrottle();
  for (let attempt = 0; attempt < 14; attempt += 1) {
    pass((fail("ada") ?? 0) * 1000);
    fail("ada");
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

test("a success ends the wait of its own network only, and doesn't count as a failure", () => {
  const { throttle, fail } = openThrottle();
  for (let attempt = 0; attempt < 4; attempt += 1) fail("ada");
  for (let attempt = 0; attempt < 8; attempt += 1) fail("ada", "192.0.2.2");
  for (let attempt = 0; attempt < 60; attempt += 1) {
    throttle.begin("ada", { clientAddress: "192.0.2.1", knownBy: null })();
  }
  for (let attempt = 0; attempt < 5; attempt += 1) expect(fail("ADA")).toBeNull();
  expect(fail("ada")).toBe(1);
  expect(fail("ada", "192.0.2.2")).toBe(1);
});

test("if the password is public, only networks are limited", () => {
  const throttle = new SignInThrottle({ now: () => 0, sparesAccounts: true });
  const begin = (clientAddress: string) => throttle.begin("demo", { clientAddress, knownBy: "a device" });
  for (let attempt = 0; attempt < 20; attempt += 1) begin("192.0.2.1");
  expect(() => begin("192.0.2.1")).toThrow("Too many attempts");
  for (let n = 2; n < 200; n += 1) begin(`192.0.2.${n}`);
});

test("codes have one budget per user, which only a right code renews", () => {
  const { throttle, pass } = openThrottle();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    throttle.beginCode("usr_ada");
    throttle.begin("ada", { clientAddress: "192.0.2.1", knownBy: `session ${attempt}` })();
  }
  expect(() => throttle.beginCode("usr_ada")).toThrow("Too many attempts");
  throttle.beginCode("usr_bob");
  pass(1000);
  throttle.beginCode("usr_ada")();
  for (let attempt = 0; attempt < 5; attempt += 1) throttle.beginCode("usr_ada");
  expect(() => throttle.beginCode("usr_ada")).toThrow("Too many attempts");
});

test("mail to one address is limited, whichever network asks for it", () => {
  const { throttle } = openThrottle();
  for (let n = 0; n < 5; n += 1) throttle.beginMail("ada", `192.0.2.${n}`);
  expect(() => throttle.beginMail("Ada", "203.0.113.1")).toThrow("Too many attempts");
  for (let n = 0; n < 19; n += 1) throttle.beginMail(`person ${n}`, "192.0.2.1");
  expect(() => throttle.beginMail("bob", "192.0.2.1")).toThrow("Too many attempts");
});

test("what can't be guessed is checked no matter how many attempts failed before", () => {
  const { throttle } = openThrottle();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect(throttle.tryFrom("192.0.2.1", "passkey").tooMany).toBeNull();
  }
  const { tooMany, succeed } = throttle.tryFrom("192.0.2.1", "passkey");
  expect(tooMany?.code).toBe("rate_limited");
  succeed();
});
