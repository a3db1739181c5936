import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, errorFrom, errorOf, fieldErrorsOf, joinApi, newLink, outcomeOf } from "#test/support/api-client.ts";
import { until } from "#test/support/until.ts";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

describe("200", () => {
  test("adds and removes tags, and changes nothing else", async () => {
    const { kurz } = await api.newCaller();
    const before = await newLink(kurz, { title: "A", tags: ["Spring", "email"], utm: { utm_source: "s" } });
    await until("the clock moves on", () => Date.now() > Date.parse(before.updated_at));
    const { data, headers } = await kurz.request("links.tags", {
      params: { id: before.id },
      body: { add: ["summer", "EMAIL"], remove: ["spring", "unknown"] },
    });
    expect(data).toEqual({ ...before, tags: ["email", "summer"], version: 2, updated_at: data.updated_at });
    expect(data.updated_at > before.updated_at).toBe(true);
    expect(headers.get("ETag")).toBe('"2"');
    const found = async (tag: string) => (await kurz.links.count({ tag: [tag] })).count;
    expect([await found("spring"), await found("email"), await found("summer")]).toEqual([0, 1, 1]);
  });

  test("changes nothing, not even the version, if there is nothing to change", async () => {
    const { kurz } = await api.newCaller();
    const before = await newLink(kurz, { tags: ["Café"] });
    for (const change of [{}, { add: ["cafe\u0301"] }, { remove: ["other"] }, { add: [], remove: [] }]) {
      expect(await kurz.links.tags(before.id, change)).toEqual(before);
    }
    expect(await kurz.links.tags(before.id, { add: ["Café"], remove: ["café"] })).toEqual(before);
  });

  test("loses no tag when many add theirs at the same time", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz, { tags: ["first"] });
    const tags = Array.from({ length: 12 }, (_, index) => `tag-${index}`);
    await Promise.all(tags.map((tag) => kurz.links.tags(id, { add: [tag] })));
    const link = await kurz.links.get(id);
    expect(link.tags.toSorted()).toEqual(["first", ...tags].toSorted());
    expect(link.version).toBe(13);
  });

  test("works in every state", async () => {
    const { kurz } = await api.newCaller();
    for (const action of ["pause", "archive"] as const) {
      const { id } = await newLink(kurz);
      const { state } = await kurz.links[action](id);
      expect(await kurz.links.tags(id, { add: ["x"] })).toMatchObject({ state, tags: ["x"] });
    }
  });
});

describe("409", () => {
  test("if the link is in the trash", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    await kurz.links.delete(id);
    const { details } = await errorFrom(kurz.links.tags(id, { add: ["x"] }), "invalid_state");
    expect(details).toMatchObject({ state: "deleted", allowed_actions: ["restore"] });
  });
});

describe("412", () => {
  test("if the link has another version", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    await errorFrom(kurz.links.tags(id, { add: ["x"] }, { ifMatch: 2 }), "precondition_failed");
    expect(await kurz.links.tags(id, { add: ["x"] }, { ifMatch: 1 })).toMatchObject({ tags: ["x"] });
  });
});

describe("422", () => {
  test("if the link would have more than 20 tags", async () => {
    const { kurz } = await api.newCaller();
    const tags = Array.from({ length: 19 }, (_, index) => `tag-${index}`);
    const { id } = await newLink(kurz, { tags });
    const { details } = await errorFrom(kurz.links.tags(id, { add: ["x", "y"] }), "validation_failed");
    expect(details.errors).toEqual([
      { location: "body", field: "add", code: "too_long", message: "A link can have at most 20 tags." },
    ]);
    expect((await kurz.links.tags(id, { add: ["x", "y"], remove: ["tag-0"] })).tags).toHaveLength(20);
  });

  test("if a tag isn't one", async () => {
    const { kurz, token } = await api.newCaller();
    const { id } = await newLink(kurz);
    const send = async (json: unknown) =>
      fieldErrorsOf(errorOf(await api.call({ method: "POST", path: `/api/v1/links/${id}/tags`, token, json })));
    expect(await send({ add: [""], remove: ["x".repeat(51)] })).toEqual([
      "body add.0 too_short",
      "body remove.0 too_long",
    ]);
    expect(await send({ add: "x", tags: ["x"] })).toEqual(["body add type", "body tags unknown_field"]);
    expect(await send({ add: Array.from({ length: 21 }, (_, index) => `${index}`) })).toEqual(["body add too_long"]);
    expect((await kurz.links.get(id)).version).toBe(1);
  });
});

test("another account's link isn't found", async () => {
  const { kurz } = await api.newCaller();
  const stranger = await api.newCaller();
  const { id } = await newLink(kurz);
  const answer = await api.call({
    method: "POST",
    path: `/api/v1/links/${id}/tags`,
    token: stranger.token,
    json: { add: ["x"] },
  });
  expect(outcomeOf(answer)).toBe("404 not_found");
});
