import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, errorFrom, fieldErrorsOf, joinApi, newLink } from "#test/support/api-client.ts";
import { expiringSoon } from "#test/support/expiring.ts";
import { until } from "#test/support/until.ts";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

describe("the history of a link", () => {
  test("has every change with its values, and who made it with what", async () => {
    const { account, kurz } = await api.newCaller({ name: "CI server" });
    const other = api.sdk(await api.operator.newToken(account, { name: "Import script" }));
    const { id } = await newLink(kurz, { title: "One", tags: ["a"] });
    await other.links.update(id, { title: "Two", utm: { utm_source: "mail" } });
    await kurz.links.pause(id);
    await kurz.links.delete(id);
    await api.operator.restore(id);
    await api.operator.block(id);
    const { data } = await kurz.links.history(id);
    const token = (name: string) => ({ type: "token", id: expect.stringMatching(/^\w+$/), name });
    expect(data).toMatchObject([
      { version: 6, action: "blocked", by: { type: "operator", id: null, name: null }, via: "command" },
      { version: 5, action: "restored", by: { type: "operator" }, via: "command", after: { state: "paused" } },
      { version: 4, action: "deleted", by: token("CI server"), after: { state: "deleted" } },
      { version: 3, action: "paused", before: { state: "active" }, after: { state: "paused" } },
      {
        version: 2,
        action: "updated",
        by: token("Import script"),
        via: "api",
        before: { title: "One", utm: {} },
        after: { title: "Two", utm: { utm_source: "mail" } },
      },
      { version: 1, action: "created", by: token("CI server"), via: "api", after: { title: "One", tags: ["a"] } },
    ]);
    expect(Object.keys(data[4]?.after ?? {}).toSorted()).toEqual(["title", "utm"]);
  });

  test("is read page by page, of this link alone", async () => {
    const { kurz, token } = await api.newCaller();
    const [link, other] = [await newLink(kurz), await newLink(kurz)];
    for (let version = 2; version <= 5; version += 1) await kurz.links.update(link.id, { title: `${version}` });
    for (const limit of [1, 2, 4, 5, 6]) {
      const found = [];
      for await (const { version } of kurz.links.allVersions(link.id, { limit })) found.push(version);
      expect(found).toEqual([5, 4, 3, 2, 1]);
    }
    const path = `/api/v1/links/${link.id}/history`;
    const first = await api.call({ path: `${path}?limit=2`, token });
    const { next_cursor } = first.json as { next_cursor: string };
    expect(first.headers.get("Link")).toBe(`<${path}?limit=2&cursor=${next_cursor}>; rel="next"`);
    const foreign = await errorFrom(kurz.links.history(other.id, { cursor: next_cursor }), "validation_failed");
    expect(fieldErrorsOf(foreign)).toEqual(["query cursor invalid_cursor"]);
    const stranger = await api.newCaller();
    await errorFrom(stranger.kurz.links.history(link.id), "not_found");
    await errorFrom(stranger.kurz.links.revert(link.id, 1), "not_found");
  });
});

describe("reverting", () => {
  test("is a new version with the fields of the old one, for visitors, too", async () => {
    const { kurz } = await api.newCaller();
    const first = await newLink(kurz, { destination_url: "https://example.com/one", utm: { utm_source: "a" } });
    await kurz.links.update(first.id, { destination_url: "https://example.com/two", utm: { utm_medium: "b" } });
    await kurz.links.update(first.id, { external_id: "crm-1" });
    const reverted = await kurz.links.revert(first.id, 1, { ifMatch: 3 });
    const { updated_at } = reverted;
    expect(reverted).toEqual({ ...first, external_id: "crm-1", version: 4, updated_at });
    const visit = await fetch(`${api.server.url}/${first.slug}`, { redirect: "manual" });
    expect(visit.headers.get("Location")).toBe("https://example.com/one?utm_source=a");
    const { data } = await kurz.links.history(first.id, { limit: 1 });
    expect(data).toMatchObject([
      { action: "reverted", reverted_to: 1, after: { destination_url: "https://example.com/one" } },
    ]);
    // Again, it changes nothing.
    expect((await kurz.links.revert(first.id, 1)).version).toBe(4);
    expect((await kurz.links.revert(first.id, 4)).version).toBe(4);
  });

  test("passes the checks of an update", async () => {
    const { kurz } = await api.newCaller();
    const { id, expires_at } = await expiringSoon((at) => newLink(kurz, { expires_at: at }));
    await kurz.links.update(id, { expires_at: null });
    await until("it is past", async () => Date.now() > Date.parse(expires_at ?? ""));
    const past = await errorFrom(kurz.links.revert(id, 1), "validation_failed");
    expect(fieldErrorsOf(past)).toEqual(["body expires_at in_past"]);
    const unknown = await errorFrom(kurz.links.revert(id, 3), "validation_failed");
    expect(fieldErrorsOf(unknown)).toEqual(["body version out_of_range"]);
    await errorFrom(kurz.links.revert(id, 1, { ifMatch: 1 }), "precondition_failed");
    await kurz.links.delete(id);
    const { details } = await errorFrom(kurz.links.revert(id, 1), "invalid_state");
    expect(details).toEqual({ state: "deleted", action: "revert", allowed_actions: ["restore"] });
    expect((await kurz.links.history(id)).data[0]?.action).toBe("deleted");
  });
});
