import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, type Caller, errorFrom, fieldErrorsOf, joinApi, newLink } from "#test/support/api-client.ts";

let api: Api;
let owner: Caller;

beforeAll(async () => {
  api = await joinApi();
  owner = await api.newCaller();
});
afterAll(() => api.stop());

describe("notes", () => {
  test("keep their lines, are found by q, and are cleared by null", async () => {
    const { id, notes } = await newLink(owner.kurz, { notes: "  For the Zeppelin fair\r\nask\tNora  " });
    expect(notes).toBe("For the Zeppelin fair\nask\tNora");
    const found = async () => (await owner.kurz.links.list({ q: "zeppelin" })).data.map((link) => link.id);
    expect(await found()).toEqual([id]);
    expect((await owner.kurz.links.update(id, { title: "Fair" })).notes).toBe(notes);
    expect((await owner.kurz.links.update(id, { notes: null })).notes).toBeNull();
    expect(await found()).toEqual([]);
  });

  test("have at most 2000 characters, and none that can't be seen", async () => {
    expect((await newLink(owner.kurz, { notes: "🎈".repeat(2000) })).notes).toHaveLength(4000);
    const problemsOf = async (notes: string) =>
      fieldErrorsOf(await errorFrom(newLink(owner.kurz, { notes }), "validation_failed"));
    expect(await problemsOf("x".repeat(2001))).toEqual(["body notes too_long"]);
    expect(await problemsOf("a\u0007b")).toEqual(["body notes invalid_format"]);
    expect(await problemsOf(" ")).toEqual(["body notes too_short"]);
  });
});

describe("external_id", () => {
  test("finds its link, and only within the account", async () => {
    const stranger = await api.newCaller();
    const { id } = await newLink(owner.kurz, { external_id: "order/4711 caf\u00e9" });
    await newLink(owner.kurz, { external_id: "order/4712" });
    const foreign = await newLink(stranger.kurz, { external_id: "order/4711 caf\u00e9" });
    const found = async ({ kurz }: Caller, external_id: string) =>
      (await kurz.links.list({ external_id })).data.map((link) => link.id);
    expect(await found(owner, "order/4711 cafe\u0301")).toEqual([id]);
    expect(await found(stranger, "order/4711 caf\u00e9")).toEqual([foreign.id]);
    expect(await found(owner, "order/4711")).toEqual([]);
    await owner.kurz.links.archive(id);
    expect((await owner.kurz.links.list({ external_id: "order/4711 caf\u00e9", state: ["all"] })).data).toHaveLength(1);
  });

  test("is unique within the account, whatever the slug", async () => {
    const { id, slug } = await newLink(owner.kurz, { external_id: "unique" });
    for (const other of [{}, { slug: "another" }, { slug }]) {
      const { details, status } = await errorFrom(
        newLink(owner.kurz, { external_id: "unique", ...other }),
        "external_id_taken",
      );
      expect([status, details]).toEqual([409, { external_id: "unique", link_id: id }]);
    }
    await errorFrom(newLink(owner.kurz, { external_id: "free", slug }), "slug_taken");
    const other = await newLink(owner.kurz);
    await errorFrom(owner.kurz.links.update(other.id, { external_id: "unique" }), "external_id_taken");
    expect((await owner.kurz.links.get(other.id)).version).toBe(1);
  });

  test("is set once: later or at once, but never changed or cleared", async () => {
    const { id } = await newLink(owner.kurz);
    expect((await owner.kurz.links.update(id, { external_id: "late" })).external_id).toBe("late");
    for (const external_id of ["later", null]) {
      const error = await errorFrom(owner.kurz.links.update(id, { external_id }), "validation_failed");
      expect(fieldErrorsOf(error)).toEqual(["body external_id read_only_field"]);
    }
    expect(await owner.kurz.links.update(id, { external_id: "late", title: "x" })).toMatchObject({ version: 3 });
  });

  test("of a deleted link can be used again", async () => {
    const { id } = await newLink(owner.kurz, { external_id: "reborn" });
    await owner.kurz.links.delete(id);
    const heir = await newLink(owner.kurz, { external_id: "reborn" });
    expect(heir.external_id).toBe("reborn");
    const { details } = await errorFrom(owner.kurz.links.restore(id), "external_id_taken");
    expect(details).toEqual({ external_id: "reborn", link_id: heir.id });
    await owner.kurz.links.delete(heir.id);
    expect(await owner.kurz.links.restore(id)).toMatchObject({ state: "active", external_id: "reborn" });
  });

  test("goes to one of many who ask for it at once", async () => {
    const all = await Promise.allSettled(
      Array.from({ length: 20 }, () => newLink(owner.kurz, { external_id: "wanted" })),
    );
    expect(all.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const result of all) if (result.status === "rejected") expect(result.reason.code).toBe("external_id_taken");
    const late = await Promise.all(Array.from({ length: 5 }, () => newLink(owner.kurz)));
    const set = await Promise.allSettled(late.map(({ id }) => owner.kurz.links.update(id, { external_id: "set" })));
    expect(set.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});
