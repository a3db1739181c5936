import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, newLink, startApi } from "#test/support/api-client.ts";

let api: Api;
beforeAll(async () => {
  api = await startApi({ KURZ_TRUST_PROXY: "1" });
});
afterAll(() => api.stop());

const LIMIT = 300;

test("a network may ask for so much in a minute, and others aren't kept waiting", async () => {
  const { kurz } = await api.newCaller();
  const { url } = await kurz.links.share((await newLink(kurz)).id);
  const ask = (path: string, client: string) => fetch(url + path, { headers: { "x-forwarded-for": client } });
  const answers = await Promise.all(Array.from({ length: LIMIT + 20 }, () => ask("/badge.svg", "203.0.113.7")));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  for (const path of ["", "/badge.svg", "/link", "/report"]) {
    const refused = await ask(path, "203.0.113.7");
    expect([path, refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([path, 429, true]);
  }
  expect((await ask("", "203.0.113.8")).status).toBe(200);
});
