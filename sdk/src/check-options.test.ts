import { describe, expect, test } from "bun:test";
import { checkOptions } from "./check-options.ts";
import { Kurz, type KurzOptions } from "./client.ts";

const TOKEN = "kurz_4fJq81ZkWx0B_secret";
const good = { baseUrl: "https://s.example", token: TOKEN };

/** As a program in JavaScript would call it. */
const complaintAbout = (options: unknown): string => {
  try {
    new Kurz(options as KurzOptions);
  } catch (error) {
    if (error instanceof TypeError) return error.message;
    throw error;
  }
  return "";
};

test.each([
  [good, "https://s.example"],
  [{ ...good, baseUrl: "https://s.example//" }, "https://s.example"],
  [{ ...good, baseUrl: "http://localhost:8080/" }, "http://localhost:8080"],
  [{ ...good, baseUrl: "https://example.com/short/" }, "https://example.com/short"],
  [{ ...good, timeoutMs: 0.5, retriesMax: 0, userAgent: "shop/1.0 (mailer)", fetch: undefined }, "https://s.example"],
])("%p is fine", (options, baseUrl) => {
  expect(checkOptions(options).baseUrl).toBe(baseUrl);
});

test.each([
  [undefined, "needs options"],
  ["https://s.example", "needs options"],
  [{ token: TOKEN }, 'baseUrl is missing: pass the URL of your deployment, such as "https://s.example"'],
  [{ ...good, baseUrl: "" }, "baseUrl is missing"],
  [{ ...good, baseUrl: "s.example" }, 'baseUrl must be a URL such as "https://s.example", not "s.example"'],
  [{ ...good, baseUrl: "localhost:8080" }, 'baseUrl must start with https:// or http://, not "localhost:8080"'],
  [{ ...good, baseUrl: new URL("https://s.example") }, "baseUrl must be a text"],
  [{ ...good, baseUrl: "https://s.example/api/v1/" }, "without /api/v1"],
  [{ ...good, baseUrl: "https://s.example/?a=1" }, "must not have a query or fragment"],
  [{ ...good, timeoutMs: 0 }, "timeoutMs must be a number of milliseconds from 1 to 2147483647, not 0"],
  [{ ...good, timeoutMs: "30000" }, 'timeoutMs must be a number of milliseconds from 1 to 2147483647, not "30000"'],
  [{ ...good, timeoutMs: Number.NaN }, "not NaN"],
  [{ ...good, timeoutMs: Number.POSITIVE_INFINITY }, "not Infinity"],
  [{ ...good, retriesMax: -1 }, "retriesMax must be a whole number, 0 or more, not -1"],
  [{ ...good, retriesMax: 1.5 }, "not 1.5"],
  [{ ...good, userAgent: "shop\r\nX-A: b" }, "userAgent must be"],
  [{ ...good, fetch: {} }, "fetch must be a function, not a value of type object"],
  [{ ...good, baseURL: "https://s.example" }, "no option baseURL; did you mean baseUrl?"],
  [{ ...good, apiKey: TOKEN }, "no option apiKey; did you mean token?"],
  [{ ...good, timeout: 5 }, "no option timeout; did you mean timeoutMs?"],
  [{ ...good, colour: "red" }, "no option colour; it has baseUrl, token,"],
])("%p is refused: %s", (options, part) => {
  expect(complaintAbout(options)).toContain(part);
});

describe("a token", () => {
  test.each([
    [undefined, "token is missing"],
    ["", "if it comes from an environment variable, check that it is set"],
    [7, "token must be a text"],
    [`Bearer ${TOKEN}`, 'without "Bearer"'],
    [`${TOKEN}\n`, "a line break"],
    [` ${TOKEN}`, "a space"],
  ])("such as %p is refused without being shown", (token, part) => {
    const message = complaintAbout({ ...good, token });
    expect(message).toContain(part);
    expect(message).not.toContain("secret");
  });

  test("in the base URL is not shown either", () => {
    const message = complaintAbout({ ...good, baseUrl: `https://kurz:${TOKEN}@s.example` });
    expect(message).toContain("must not have a user name or password");
    expect(message).not.toContain("secret");
  });
});

test("without fetch in the runtime, one must be passed", () => {
  const { fetch } = globalThis;
  try {
    Object.assign(globalThis, { fetch: undefined });
    expect(complaintAbout(good)).toContain("this runtime has no fetch");
    expect(complaintAbout({ ...good, fetch })).toBe("");
  } finally {
    Object.assign(globalThis, { fetch });
  }
});
