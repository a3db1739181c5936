import { expect, test } from "bun:test";
import { deviceCookies } from "./device-cookies.ts";

const ADA = "ada@example.com";
const DAY_MS = 86_400_000;

function openDevices(key = "a key", https = true) {
  let now = 1_800_000_000_000;
  const devices = deviceCookies({ key, https, clock: () => now });
  return {
    ...devices,
    pass(ms: number) {
      now += ms;
    },
  };
}

const headersWith = (cookie: string): Headers => new Headers({ cookie: `a=b; ${cookie.split(";", 1)[0]}; c=d` });
const noCookies = new Headers();

test("a browser is known for the person who signed in with it, in any spelling, and for nobody else", () => {
  const { renew, find } = openDevices();
  const headers = headersWith(renew(noCookies, ADA));
  expect(find(headers, "ADA@Example.com")?.id).toMatch(/^[\w-]{16}$/);
  expect([find(headers, "bob@example.com"), find(noCookies, ADA)]).toEqual([null, null]);
});

test("scripts can't read it, only the console gets it, and it reveals nothing about the person", () => {
  const cookie = openDevices().renew(noCookies, ADA);
  expect(cookie).toMatch(
    /^__Secure-kurz\.device=[\w.-]+; Max-Age=15552000; Path=\/console; HttpOnly; SameSite=Strict; Secure$/,
  );
  expect(openDevices("a key", false).renew(noCookies, ADA)).toMatch(/^kurz\.device=[^;]+; .*SameSite=Strict$/);
  const parts = (cookie.split("=")[1]?.split(";")[0] ?? "").split(".");
  for (const text of [...parts, ...parts.map((part) => Buffer.from(part, "base64url").toString("latin1"))]) {
    expect(text.toLowerCase()).not.toContain("ada");
  }
});

test("each sign-in replaces the id", () => {
  const { renew, find } = openDevices();
  const first = headersWith(renew(noCookies, ADA));
  const second = renew(first, ADA);
  expect(second.split("~")).toHaveLength(1);
  expect(find(headersWith(second), ADA)?.id).not.toBe(find(first, ADA)?.id);
});

test("it says when the person signed in", () => {
  const { renew, find, pass } = openDevices();
  const first = find(headersWith(renew(noCookies, ADA)), ADA);
  pass(DAY_MS);
  const second = find(headersWith(renew(noCookies, ADA)), ADA);
  expect((second?.issuedAt ?? 0) - (first?.issuedAt ?? 0)).toBe(DAY_MS);
});

test("five people may share a browser", () => {
  const { renew, find } = openDevices();
  let headers = noCookies;
  for (let n = 0; n < 6; n += 1) headers = headersWith(renew(headers, `person${n}@example.com`));
  const known = Array.from({ length: 6 }, (_, n) => find(headers, `person${n}@example.com`) !== null);
  expect(known).toEqual([false, true, true, true, true, true]);
});

test("a cookie that is made up, changed, from another server or older than 180 days is not accepted", () => {
  const { renew, find, pass } = openDevices();
  const cookie = renew(noCookies, ADA);
  for (const bad of [
    "__Secure-kurz.device=",
    "__Secure-kurz.device=..",
    "__Secure-kurz.device=a.zzzzzzzz.b",
    cookie.replace(/device=./, (text) => `${text.slice(0, -1)}${text.endsWith("A") ? "B" : "A"}`),
    cookie.replace(/\.(?=[^.]+;)/, "0."),
    openDevices("another key").renew(noCookies, ADA),
  ]) {
    expect(find(headersWith(bad), ADA)).toBeNull();
  }
  const headers = headersWith(cookie);
  pass(180 * DAY_MS - 1);
  expect(find(headers, ADA)).not.toBeNull();
  pass(1);
  expect(find(headers, ADA)).toBeNull();
});
