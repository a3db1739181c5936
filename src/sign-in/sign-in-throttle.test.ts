import { expect, test } from "bun:test";
import { localFailureLimits } from "#engines/coordination/local-failure-limits.ts";
import { ApiError } from "#kernel/api-error.ts";
import { SignInThrottle } from "./sign-in-throttle.ts";

const MINUTE_MS = 60_000;

function openThrottle() {
  let now = 0;
  const throttle = new SignInThrottle({ failures: localFailureLimits(() => now) });
  /** What an attempt that fails is answered: nothing, or how many seconds to wait. */
  const fail = async (
    account: string,
    clientAddress = "192.0.2.1",
    knownBy: string | null = null,
  ): Promise<number | null> => {
    try {
      await throttle.begin(account, { clientAddress, knownBy });
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

test("after five failures each further one doubles the wait, up to fifteen minutes", async () => {
  for (const knownBy of [null, "a device"]) {
    const { fail, pass } = openThrottle();
    const waits: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) expect(await fail("ada", "192.0.2.1", knownBy)).toBeNull();
    for (let attempt = 5; attempt < 18; attempt += 1) {
      const wait = (await fail("ada", "192.0.2.1", knownBy)) ?? 0;
      waits.push(wait);
      pass(wait * 1000 - 1);
      expect(await fail("ada", "192.0.2.1", knownBy)).toBe(1);
      pass(1);
      expect(await fail("ada", "192.0.2.1", knownBy)).toBeNull();
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
  }
});

test("strangers slow down no returning person, neither on their account nor in their network", async () => {
  const { fail } = openThrottle();
  for (let attempt = 0; attempt < 100; attempt += 1) {
    await fail("ada", `192.0.2.${attempt}`);
    await fail("ada", "198.51.100.1");
    await fail(`person ${attempt}`, "198.51.100.1");
  }
  expect(await fail("ada", "203.0.113.1")).toBe(900);
  expect(await fail("bob", "198.51.100.1")).toBe(900);
  expect(await fail("ada", "198.51.100.1", "her laptop")).toBeNull();
  for (let attempt = 0; attempt < 9; attempt += 1) await fail("ada", "198.51.100.1", "her laptop");
  expect(await fail("ada", "198.51.100.1", "her laptop")).toBe(1);
  expect(await fail("ada", "198.51.100.1", "her phone")).toBeNull();
});

test("a stranger in one network doesn't slow down people in another", async () => {
  const { fail } = openThrottle();
  for (let attempt = 0; attempt < 30; attempt += 1) await fail("ada");
  expect([await fail("ada"), await fail("ada", "203.0.113.1")]).toEqual([1, null]);
});

test("all strangers together guess at most 146 times in a day at one account, from however many networks", async () => {
  const { fail, pass } = openThrottle();
  let guesses = 0;
  for (let minute = 0; minute < 24 * 60; minute += 1) {
    for (let n = 0; n < 20; n += 1) {
      if ((await fail("ada", `10.${minute >> 8}.${minute & 255}.${n}`)) === null) guesses += 1;
    }
    pass(MINUTE_MS);
  }
  expect(guesses).toBeGreaterThan(100);
  expect(guesses).toBeLessThanOrEqual(50 + 96);
});

test("another account is not slowed down", async () => {
  const { fail } = openThrottle();
  for (let attempt = 0; attempt < 8; attempt += 1) await fail("ada");
  expect([await fail("ada"), await fail("bob")]).toEqual([1, null]);
});

test("an address may fail twenty times in fifteen minutes across all accounts", async () => {
  const { fail, pass } = openThrottle();
  for (let attempt = 0; attempt < 20; attempt += 1) expect(await fail(`person ${attempt}`)).toBeNull();
  expect(await fail("person 20")).toBe(900);
  expect(await fail("person 20", "192.0.2.2")).toBeNull();
  pass(15 * MINUTE_MS + 1);
  expect(await fail("person 20")).toBeNull();
});

test("the addresses of one IPv6 network count as one", async () => {
  const { fail } = openThrottle();
  for (let attempt = 0; attempt < 20; attempt += 1) await fail(`person ${attempt}`, `2001:db8::${attempt}`);
  expect(await fail("person 20", "2001:db8::ffff")).toBe(900);
});

test("attempts that name no user are limited for the whole network", async () => {
  const { throttle } = openThrottle();
  for (let attempt = 0; attempt < 5; attempt += 1) await throttle.beginFrom(`2001:db8::${attempt}`, "sign-up");
  await expect(throttle.beginFrom("2001:db8::ffff", "sign-up")).rejects.toThrow("Too many attempts");
  await throttle.beginFrom("2001:db8::ffff", "code");
  await throttle.beginFrom("2001:db8:1::1", "sign-up");
});

test("failures are forgotten after a day without any, and not before", async () => {
  const { fail, pass } = openThrottle();
  for (let attempt = 0; attempt < 14; attempt += 1) {
    pass(((await fail("ada")) ?? 0) * 1000);
    await fail("ada");
  }
  pass(23 * 60 * MINUTE_MS);
  expect([await fail("ada"), await fail("ada")]).toEqual([null, 900]);
  pass(24 * 60 * MINUTE_MS);
  expect(await Promise.all(Array.from({ length: 6 }, () => fail("ada")))).toEqual([null, null, null, null, null, 1]);
});

test("attempts that run at the same time count before any of them has ended", async () => {
  const { fail } = openThrottle();
  expect(await Promise.all(Array.from({ length: 7 }, () => fail("ada")))).toEqual([null, null, null, null, null, 1, 1]);
});

test("a success ends the wait of its own network only, and doesn't count as a failure", async () => {
  const { throttle, fail } = openThrottle();
  for (let attempt = 0; attempt < 4; attempt += 1) await fail("ada");
  for (let attempt = 0; attempt < 8; attempt += 1) await fail("ada", "192.0.2.2");
  for (let attempt = 0; attempt < 60; attempt += 1) {
    await (await throttle.begin("ada", { clientAddress: "192.0.2.1", knownBy: null }))();
  }
  for (let attempt = 0; attempt < 5; attempt += 1) expect(await fail("ADA")).toBeNull();
  expect(await fail("ada")).toBe(1);
  expect(await fail("ada", "192.0.2.2")).toBe(1);
});

test("if the password is public, only networks are limited", async () => {
  const throttle = new SignInThrottle({ failures: localFailureLimits(() => 0), sparesAccounts: true });
  const begin = (clientAddress: string) => throttle.begin("demo", { clientAddress, knownBy: "a device" });
  for (let attempt = 0; attempt < 20; attempt += 1) await begin("192.0.2.1");
  await expect(begin("192.0.2.1")).rejects.toThrow("Too many attempts");
  for (let n = 2; n < 200; n += 1) await begin(`192.0.2.${n}`);
});

test("codes have one budget per user, which only a right code renews", async () => {
  const { throttle, pass } = openThrottle();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await throttle.beginCode("usr_ada");
    await (await throttle.begin("ada", { clientAddress: "192.0.2.1", knownBy: `session ${attempt}` }))();
  }
  await expect(throttle.beginCode("usr_ada")).rejects.toThrow("Too many attempts");
  await throttle.beginCode("usr_bob");
  pass(1000);
  await (await throttle.beginCode("usr_ada"))();
  for (let attempt = 0; attempt < 5; attempt += 1) await throttle.beginCode("usr_ada");
  await expect(throttle.beginCode("usr_ada")).rejects.toThrow("Too many attempts");
});

test("mail to one address is limited, whichever network asks for it", async () => {
  const { throttle } = openThrottle();
  for (let n = 0; n < 5; n += 1) await throttle.beginMail("ada", `192.0.2.${n}`);
  await expect(throttle.beginMail("Ada", "203.0.113.1")).rejects.toThrow("Too many attempts");
  for (let n = 0; n < 19; n += 1) await throttle.beginMail(`person ${n}`, "192.0.2.1");
  await expect(throttle.beginMail("bob", "192.0.2.1")).rejects.toThrow("Too many attempts");
});

test("what can't be guessed is checked no matter how many attempts failed before", async () => {
  const { throttle } = openThrottle();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    expect((await throttle.tryFrom("192.0.2.1", "passkey")).tooMany).toBeNull();
  }
  const { tooMany, succeed } = await throttle.tryFrom("192.0.2.1", "passkey");
  expect(tooMany?.code).toBe("rate_limited");
  await succeed();
});
