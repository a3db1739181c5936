import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, joinApi, newLink } from "#test/support/api-client.ts";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

test("returns the record with its version as entity tag", async () => {
  const { kurz } = await api.newCaller();
  const link = await newLink(kurz, { title: "A" });
  const { status, headers, data } = await kurz.request("links.get", { params: { id: link.id } });
  expect([status, headers.get("ETag")]).toEqual([200, '"1"']);
  expect(data).toEqual(link);
});

test("If-None-Match never leads to 304, since counts change without a new version", async () => {
  const { token, kurz } = await api.newCaller();
  const { id } = await newLink(kurz);
  for (const tag of ['"1"', "*", 'W/"1"']) {
    const answer = await api.call({ path: `/api/v1/links/${id}`, token, headers: { "If-None-Match": tag } });
    expect([answer.status, answer.text !== ""]).toEqual([200, true]);
  }
});

test("the answer is JSON, whatever the client accepts", async () => {
  const { token, kurz } = await api.newCaller();
  const { id } = await newLink(kurz);
  for (const accept of ["text/html", "application/xml", "image/png;q=1, */*;q=0"]) {
    const answer = await api.call({ path: `/api/v1/links/${id}`, token, headers: { Accept: accept } });
    expect(answer.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
  }
});

test("visiting a link doesn't change its version", async () => {
  const { kurz } = await api.newCaller();
  const link = await newLink(kurz);
  for (let count = 0; count < 5; count += 1) await fetch(`${api.server.url}/${link.slug}`, { redirect: "manual" });
  expect(await kurz.links.get(link.id)).toMatchObject({ version: 1, updated_at: link.updated_at });
});
