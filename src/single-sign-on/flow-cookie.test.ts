import { expect, test } from "bun:test";
import { type Flow, flowCookies } from "./flow-cookie.ts";

const START = Date.UTC(2026, 10, 18);
let now = START;
const cookiesWith = (secretKey: string, https = false) => flowCookies({ secretKey, https, clock: () => now });
const cookies = cookiesWith("a");

const flow: Flow = { state: "s", nonce: "n", verifier: "v", next: "/a/acc_1/", confirms: false, startedAt: START };
const sentWith = (line: string): Headers => new Headers({ cookie: `other=1; ${line.split(";", 1)[0]}` });

test("a browser brings back what it has started", () => {
  now = START;
  expect(cookies.find(sentWith(cookies.start(flow)))).toEqual(flow);
});

test("for ten minutes", () => {
  const sent = sentWith(cookies.start(flow));
  now = START + 599_999;
  expect(cookies.find(sent)).toEqual(flow);
  now = START + 600_000;
  expect(cookies.find(sent)).toBeNull();
  now = START;
});

test("what it can't have got from here is nothing", () => {
  const line = cookies.start(flow);
  expect(cookiesWith("b").find(sentWith(line))).toBeNull();
  for (const value of ["", "x", `${line.split(";", 1)[0]?.slice("kurz.sso=".length, -2)}AA`]) {
    expect(cookies.find(new Headers({ cookie: `kurz.sso=${value}` }))).toBeNull();
  }
  expect(cookies.find(new Headers())).toBeNull();
});

test("it reveals nothing, only our own pages send it, and no other host can set it", () => {
  const line = cookiesWith("a", true).start(flow);
  expect(line).toMatch(/^__Host-kurz\.sso=[\w-]+; Max-Age=600; Path=\/; HttpOnly; SameSite=Strict; Secure$/);
  expect(cookiesWith("a", true).end()).toBe("__Host-kurz.sso=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict; Secure");
  const planted = cookiesWith("a", false).start(flow);
  expect(cookiesWith("a", true).find(sentWith(planted))).toBeNull();
  expect(Buffer.from(line.split(/[=;]/)[1] ?? "", "base64url").toString()).not.toContain("acc_1");
});
