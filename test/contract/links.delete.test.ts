import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, errorFrom, joinApi, newLink, outcomeOf } from "#test/support/api-client.ts";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const open = async (slug: string): Promise<number> =>
  (await fetch(`${api.server.url}/${slug}`, { redirect: "manual" })).status;

describe("204", () => {
  test("has no body, and the link is in the trash: gone from lists and for visitors, read but not changed", async () => {
    const { token, kurz } = await api.newCaller();
    const { id, slug } = await newLink(kurz, { tags: ["x"], title: "findable" });
    expect(await open(slug)).toBe(302);
    const answer = await api.call({ method: "DELETE", path: `/api/v1/links/${id}`, token });
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect([answer.headers.has("Content-Type"), answer.headers.has("ETag")]).toEqual([false, false]);
    expect(await open(slug)).toBe(410);
    const deleted = await kurz.links.get(id);
    expect(deleted).toMatchObject({ state: "deleted", version: 2, title: "findable", deleted_at: deleted.updated_at });
    expect(Date.parse(deleted.erases_at ?? "") - Date.parse(deleted.deleted_at ?? "")).toBe(30 * 86_400_000);
    const refused = { state: "deleted", allowed_actions: ["restore"] };
    const update = await errorFrom(kurz.links.update(id, { title: "x" }), "invalid_state");
    expect(update.details).toEqual({ ...refused, action: "update" });
    for (const action of ["pause", "resume", "archive", "unarchive"] as const) {
      expect((await errorFrom(kurz.links[action](id), "invalid_state")).details).toEqual({ ...refused, action });
    }
    expect((await errorFrom(kurz.links.resolve(id), "invalid_state")).details).toEqual({
      ...refused,
      action: "resolve",
    });
    for (const query of [{ state: ["all" as const] }, { tag: ["x"] }, { q: "findable" }, { slug }]) {
      expect((await kurz.links.list(query)).data).toEqual([]);
    }
  });

  test("works in every state", async () => {
    const { kurz } = await api.newCaller();
    for (const action of ["pause", "archive"] as const) {
      const { id, slug } = await newLink(kurz);
      await kurz.links[action](id);
      await kurz.links.delete(id);
      expect(await open(slug)).toBe(410);
    }
  });

  test("makes room in the plan only if the link was active", async () => {
    const { kurz } = await api.newCaller({ plan: "trio" });
    const used = async () => (await kurz.me.get()).plan.features.active_links.used;
    const [active, paused] = [await newLink(kurz), await newLink(kurz)];
    await kurz.links.pause(paused.id);
    expect(await used()).toBe(1);
    await kurz.links.delete(paused.id);
    expect(await used()).toBe(1);
    await kurz.links.delete(active.id);
    expect(await used()).toBe(0);
  });

  test("is the answer to each of 20 requests at once, and the link is deleted once", async () => {
    const { kurz } = await api.newCaller({ plan: "trio" });
    const { id } = await newLink(kurz);
    await Promise.all(Array.from({ length: 20 }, () => kurz.links.delete(id)));
    expect((await kurz.me.get()).plan.features.active_links.used).toBe(0);
    expect(await kurz.links.get(id)).toMatchObject({ state: "deleted", version: 2 });
  });

  test("with permanent, is returned once if 20 requests run at once", async () => {
    const { kurz } = await api.newCaller({ plan: "trio" });
    const { id } = await newLink(kurz);
    const erase = () => kurz.links.delete(id, { permanent: true });
    const results = await Promise.allSettled(Array.from({ length: 20 }, erase));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect((await kurz.me.get()).plan.features.active_links.used).toBe(0);
  });
});

describe("the slug of a deleted link", () => {
  test("is never reused, in any spelling, by any account", async () => {
    const { kurz } = await api.newCaller();
    const other = await api.newCaller();
    const { id } = await newLink(kurz, { slug: "printed-on-posters" });
    await kurz.links.delete(id);
    for (const [caller, slug] of [
      [kurz, "printed-on-posters"],
      [other.kurz, "PRINTED-on-posters"],
    ] as const) {
      const { details } = await errorFrom(newLink(caller, { slug }), "slug_taken");
      expect(details).toEqual({ slug: "printed-on-posters" });
    }
    expect(await open("Printed-On-Posters")).toBe(410);
    expect(await open("printed-on-posters+")).toBe(410);
  });
});

describe("412", () => {
  test("keeps the link if it has changed since it was read", async () => {
    const { token, kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    await kurz.links.update(id, { title: "New" });
    const { details } = await errorFrom(kurz.links.delete(id, { ifMatch: 1 }), "precondition_failed");
    expect(details).toEqual({ current_version: 2 });
    const weak = { method: "DELETE", path: `/api/v1/links/${id}`, token, headers: { "If-Match": 'W/"2"' } };
    expect(outcomeOf(await api.call(weak))).toBe("412 precondition_failed");
    await kurz.links.delete(id, { ifMatch: 2 });
    expect((await kurz.links.get(id)).state).toBe("deleted");
    await errorFrom(kurz.links.delete(id, { ifMatch: 2, permanent: true }), "precondition_failed");
    await kurz.links.delete(id, { ifMatch: 3, permanent: true });
    await errorFrom(kurz.links.get(id), "not_found");
  });

  test("ignores the version with *", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    await kurz.links.delete(id, { ifMatch: "*", permanent: true });
    await errorFrom(kurz.links.delete(id, { ifMatch: "*" }), "not_found");
  });
});
