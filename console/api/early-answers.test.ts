import { afterEach, beforeEach, expect, test } from "bun:test";
import { askEarly, takeEarly, takeEarlyContent } from "./early-answers.ts";

const URL_ASKED = "/console/api/v1/links?limit=30";
const originalFetch = globalThis.fetch;
let asked: string[];

beforeEach(() => {
  asked = [];
  globalThis.kurzEarlyAnswers = undefined;
  const answer = async (url: string, { headers }: { headers: Record<string, string> }): Promise<Response> => {
    asked.push(`${url} ${headers["kurz-account"] ?? "nobody"}`);
    return Response.json("early");
  };
  globalThis.fetch = answer as unknown as typeof fetch;
});
afterEach(() => {
  globalThis.fetch = originalFetch;
});

test("an answer is given once, to those who ask the same within the same account", async () => {
  void askEarly(URL_ASKED, "acc_1");
  expect(asked).toEqual([`${URL_ASKED} acc_1`]);
  expect(takeEarly("/console/api/v1/links?limit=100", "acc_1")).toBeUndefined();
  expect(takeEarly(URL_ASKED, "acc_2")).toBeUndefined();
  expect(await (await takeEarly(URL_ASKED, "acc_1"))?.json()).toBe("early");
  expect(takeEarly(URL_ASKED, "acc_1")).toBeUndefined();
});

test("what the application has asked already isn't asked early, so no old answer waits for its next question", async () => {
  expect(takeEarly(URL_ASKED, "acc_1")).toBeUndefined();
  expect(await askEarly(URL_ASKED, "acc_1")).toBeUndefined();
  expect(asked).toEqual([]);
});

test("an answer from long ago isn't given", () => {
  const old = { answer: Promise.resolve(Response.json("old")), askedAt: performance.now() - 10_001, content: "old" };
  for (const takeOne of [takeEarly, takeEarlyContent]) {
    globalThis.kurzEarlyAnswers = new Map([[`acc_1 ${URL_ASKED}`, old]]);
    expect(takeOne(URL_ASKED, "acc_1")).toBeUndefined();
  }
});

test("what is already read can be taken at once; what isn't stays for those who wait", async () => {
  const read = askEarly(URL_ASKED, "acc_1");
  expect(takeEarlyContent(URL_ASKED, "acc_1")).toBeUndefined();
  expect(await read).toBe("early");
  expect(takeEarlyContent(URL_ASKED, "acc_1")).toBe("early");
  expect(takeEarly(URL_ASKED, "acc_1")).toBeUndefined();
});

test("a refusal is an answer for the application to read", async () => {
  globalThis.fetch = (async () => Response.json({ error: {} }, { status: 503 })) as unknown as typeof fetch;
  expect(await askEarly(URL_ASKED, "acc_1")).toBeUndefined();
  expect(takeEarlyContent(URL_ASKED, "acc_1")).toBeUndefined();
  expect((await takeEarly(URL_ASKED, "acc_1"))?.status).toBe(503);
});
