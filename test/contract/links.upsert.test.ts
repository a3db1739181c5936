import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, errorFrom, fieldErrorsOf, joinApi } from "#test/support/api-client.ts";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const put = (token: string, externalId: string, json: object, headers = {}) =>
  api.call({ method: "PUT", path: `/api/v1/links/external/${encodeURIComponent(externalId)}`, token, json, headers });

test("a link is created once, replaced after that, and left alone if nothing differs", async () => {
  const { kurz, token } = await api.newCaller();
  for (const externalId of ["order-4711", "tags", "a/b?c=ü %", "external"]) {
    const body = { destination_url: "https://example.com/one", title: "One", tags: ["a"], utm: { utm_source: "x" } };
    const created = await put(token, externalId, { ...body, metadata: { a: "1", b: "2" }, redirect_status: 301 });
    const link = created.json as { id: string };
    expect([created.status, created.headers.get("Location")]).toEqual([201, `/api/v1/links/${link.id}`]);
    const again = await put(token, externalId, { ...body, metadata: { a: "1", b: "2" }, redirect_status: 301 });
    expect([again.status, again.json]).toEqual([200, created.json]);
    const replaced = await put(token, externalId, {
      destination_url: "https://example.com/two",
      utm: { utm_medium: "y" },
      metadata: { b: "3" },
    });
    expect(replaced.status).toBe(200);
    expect(replaced.json).toMatchObject({
      id: link.id,
      external_id: externalId,
      destination_url: "https://example.com/two",
      title: null,
      tags: [],
      utm: { utm_medium: "y" },
      metadata: { b: "3" },
      redirect_status: 302,
      version: 2,
    });
    expect(Object.keys((replaced.json as { utm: object }).utm)).toEqual(["utm_medium"]);
    expect(Object.keys((replaced.json as { metadata: object }).metadata)).toEqual(["b"]);
  }
  expect((await kurz.links.count()).count).toBe(4);
});

test("of many at once, one creates the link", async () => {
  const { token, kurz } = await api.newCaller();
  const body = { destination_url: "https://example.com/" };
  const answers = await Promise.all(Array.from({ length: 12 }, () => put(token, "same", body)));
  expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(11).fill(200), 201]);
  expect((await kurz.links.count()).count).toBe(1);
});

test("its address stays, and is only compared", async () => {
  const { kurz } = await api.newCaller();
  const body = { destination_url: "https://example.com/" };
  const { slug, domain } = await kurz.links.upsert("x", { ...body, slug: "upsert-slug" });
  expect((await kurz.links.upsert("x", { ...body, slug: "UPSERT-slug", domain })).version).toBe(1);
  const error = await errorFrom(kurz.links.upsert("x", { ...body, slug: `${slug}-2` }), "validation_failed");
  expect(fieldErrorsOf(error)).toEqual(["body slug read_only_field"]);
  await errorFrom(kurz.links.upsert("y", { ...body, slug }), "slug_taken");
});

test("a password that isn't sent stays, and the same one again changes nothing", async () => {
  const { kurz } = await api.newCaller();
  const body = { destination_url: "https://example.com/" };
  await kurz.links.upsert("x", { ...body, password: "open sesame" });
  expect(await kurz.links.upsert("x", { ...body, password: "open sesame" })).toMatchObject({ version: 1 });
  expect(await kurz.links.upsert("x", body)).toMatchObject({ version: 1, password_protected: true });
  expect(await kurz.links.upsert("x", { ...body, password: "another" })).toMatchObject({ version: 2 });
  expect(await kurz.links.upsert("x", { ...body, password: null })).toMatchObject({
    version: 3,
    password_protected: false,
  });
});

test("If-Match and the checks of a link hold; one in the trash doesn't count", async () => {
  const { kurz, token } = await api.newCaller();
  const body = { destination_url: "https://example.com/" };
  await errorFrom(kurz.links.upsert("x", body, { ifMatch: 1 }), "precondition_failed");
  const first = await kurz.links.upsert("x", body);
  await errorFrom(kurz.links.upsert("x", { ...body, title: "y" }, { ifMatch: 2 }), "precondition_failed");
  const { details } = await errorFrom(
    kurz.links.upsert("x", { destination_url: "ftp://a.example/" }),
    "validation_failed",
  );
  expect(details?.errors[0]?.field).toBe("destination_url");
  const past = await errorFrom(
    kurz.links.upsert("x", { ...body, expires_at: "2020-01-01T00:00:00Z" }),
    "validation_failed",
  );
  expect(fieldErrorsOf(past)).toEqual(["body expires_at in_past"]);
  expect((await put(token, "x", { ...body, external_id: "y" })).status).toBe(422);
  await kurz.links.delete(first.id);
  expect((await kurz.links.upsert("x", body)).id).not.toBe(first.id);
});
