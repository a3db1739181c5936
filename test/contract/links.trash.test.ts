import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, errorFrom, joinApi, newLink, outcomeOf } from "#test/support/api-client.ts";
import { click } from "#test/support/clicks.ts";
import { until } from "#test/support/until.ts";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const open = async (slug: string): Promise<number> =>
  (await fetch(`${api.server.url}/${slug}`, { redirect: "manual" })).status;

describe("state=deleted", () => {
  test("lists the trash of the account alone, and no other list has it", async () => {
    const [owner, other] = [await api.newCaller(), await api.newCaller()];
    const kept = await newLink(owner.kurz);
    const first = await newLink(owner.kurz, { tags: ["Sale"], title: "First" });
    const second = await newLink(owner.kurz, { title: "Second" });
    for (const { id } of [second, first]) await owner.kurz.links.delete(id);
    const trash = async (query: object = {}) =>
      (await owner.kurz.links.list({ state: ["deleted"], ...query })).data.map(({ id }) => id);
    expect(await trash()).toEqual([second.id, first.id]);
    expect(await trash({ sort: "-updated_at" })).toEqual([first.id, second.id]);
    expect(await trash({ tag: ["sale"] })).toEqual([first.id]);
    expect(await trash({ q: "second" })).toEqual([second.id]);
    expect((await owner.kurz.links.list({ state: ["all"] })).data.map(({ id }) => id)).toEqual([kept.id]);
    expect((await other.kurz.links.list({ state: ["deleted"] })).data).toEqual([]);
  });

  test("is read page by page", async () => {
    const { kurz } = await api.newCaller();
    const made = [];
    for (let count = 0; count < 5; count += 1) made.push(await newLink(kurz));
    for (const { id } of made) await kurz.links.delete(id);
    const found: string[] = [];
    for await (const { id, state } of kurz.links.all({ state: ["deleted"], limit: 2 })) {
      expect(state).toBe("deleted");
      found.push(id);
    }
    expect(found).toEqual(made.map(({ id }) => id).toReversed());
  });
});

describe("restoring", () => {
  test("brings a link back as it was, at once for visitors, with its clicks", async () => {
    const { kurz } = await api.newCaller();
    const link = await newLink(kurz, { title: "Back soon", tags: ["x"] });
    await click(api.server, link);
    await until("it is counted", async () => (await kurz.links.get(link.id)).click_count === 1);
    for (let round = 0; round < 5; round += 1) {
      await kurz.links.delete(link.id);
      expect(await open(link.slug)).toBe(410);
      expect(await open(`${link.slug}+`)).toBe(410);
      const restored = await kurz.links.restore(link.id);
      expect(await open(`${link.slug}+`)).toBe(200);
      const { updated_at, last_clicked_at } = restored;
      expect(restored).toEqual({ ...link, version: 3 + 2 * round, click_count: 1, updated_at, last_clicked_at });
    }
    expect((await click(api.server, link)).status).toBe(302);
    expect((await kurz.links.list({ tag: ["x"], q: "back soon" })).data).toHaveLength(1);
    await until("the report has both", async () => (await kurz.links.analytics(link.id)).totals.clicks === 2);
  });

  test("returns each link to the state it had", async () => {
    const { kurz } = await api.newCaller();
    for (const [action, state] of [
      ["pause", "paused"],
      ["archive", "archived"],
    ] as const) {
      const { id } = await newLink(kurz);
      const before = await kurz.links[action](id);
      await kurz.links.delete(id);
      expect(await kurz.links.restore(id)).toMatchObject({
        state,
        paused_at: before.paused_at,
        archived_at: before.archived_at,
        deleted_at: null,
        erases_at: null,
      });
    }
  });

  test("changes nothing if the link isn't deleted", async () => {
    const { kurz } = await api.newCaller();
    const link = await newLink(kurz);
    expect(await kurz.links.restore(link.id)).toEqual(link);
    await kurz.links.delete(link.id);
    const [restored, again] = [await kurz.links.restore(link.id), await kurz.links.restore(link.id)];
    expect(again).toEqual(restored);
  });

  test("needs room in the plan for an active link only", async () => {
    const { kurz } = await api.newCaller({ plan: "trio" });
    const [active, paused] = [await newLink(kurz), await newLink(kurz)];
    await kurz.links.pause(paused.id);
    await kurz.links.delete(active.id);
    await kurz.links.delete(paused.id);
    const others = [await newLink(kurz), await newLink(kurz), await newLink(kurz)];
    const { details } = await errorFrom(kurz.links.restore(active.id), "plan_limit");
    expect(details).toEqual({ feature: "active_links", limit: 3 });
    expect((await kurz.links.get(active.id)).state).toBe("deleted");
    expect((await kurz.links.restore(paused.id)).state).toBe("paused");
    await kurz.links.delete(others[0]?.id ?? "");
    expect((await kurz.links.restore(active.id)).state).toBe("active");
    expect((await kurz.me.get()).plan.features.active_links.used).toBe(3);
  });

  test("asks for the version that was read, and for a link of the account", async () => {
    const [owner, other] = [await api.newCaller(), await api.newCaller()];
    const { id } = await newLink(owner.kurz);
    await owner.kurz.links.delete(id);
    await errorFrom(other.kurz.links.restore(id), "not_found");
    await errorFrom(other.kurz.links.get(id), "not_found");
    await errorFrom(other.kurz.links.delete(id, { permanent: true }), "not_found");
    const { details } = await errorFrom(owner.kurz.links.restore(id, { ifMatch: 1 }), "precondition_failed");
    expect(details).toEqual({ current_version: 2 });
    expect(await owner.kurz.links.restore(id, { ifMatch: 2 })).toMatchObject({ version: 3 });
  });

  test("keeps a block that the operator put on the link while it was in the trash", async () => {
    const { kurz } = await api.newCaller();
    const { id, slug } = await newLink(kurz);
    await kurz.links.delete(id);
    await api.operator.block(slug);
    expect((await kurz.links.get(id)).blocked).toMatchObject({ reason: "manual" });
    expect(await open(slug)).toBe(410);
    await kurz.links.restore(id);
    expect((await kurz.links.get(id)).blocked).toMatchObject({ reason: "manual" });
    expect(await open(slug)).not.toBe(302);
    expect((await api.server.kurz(["links", "unblock", slug])).code).toBe(0);
    expect(await open(slug)).toBe(302);
  });
});

describe("permanent=true", () => {
  test.each([["a link in use"], ["a link in the trash"]])(
    "erases %s with its clicks, and its slug stays taken",
    async (what) => {
      const { token, kurz } = await api.newCaller();
      const link = await newLink(kurz);
      await click(api.server, link);
      await until("it is reported", async () => (await kurz.analytics.get()).totals.clicks === 1);
      if (what === "a link in the trash") await kurz.links.delete(link.id);
      const answer = await api.call({ method: "DELETE", path: `/api/v1/links/${link.id}?permanent=true`, token });
      expect([answer.status, answer.text]).toEqual([204, ""]);
      await errorFrom(kurz.links.get(link.id), "not_found");
      await errorFrom(kurz.links.restore(link.id), "not_found");
      await errorFrom(kurz.links.analytics(link.id), "not_found");
      await errorFrom(kurz.links.delete(link.id, { permanent: true }), "not_found");
      expect((await kurz.links.list({ state: ["deleted"] })).data).toEqual([]);
      expect(await open(link.slug)).toBe(410);
      await errorFrom(newLink(kurz, { slug: link.slug }), "slug_taken");
      await until("its clicks are gone", async () => (await kurz.analytics.get()).totals.clicks === 0);
    },
  );

  test("takes true and false only", async () => {
    const { token, kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    for (const value of ["", "yes", "1", "TRUE"]) {
      const path = `/api/v1/links/${id}?permanent=${value}`;
      expect(outcomeOf(await api.call({ method: "DELETE", path, token }))).toBe("422 validation_failed");
    }
    await api.call({ method: "DELETE", path: `/api/v1/links/${id}?permanent=false`, token });
    expect((await kurz.links.get(id)).state).toBe("deleted");
  });
});

test("the operator restores a link for its account, and erases one for good", async () => {
  const { account, kurz } = await api.newCaller({ plan: "trio" });
  const { id, slug } = await newLink(kurz);
  const run = async (command: string) => {
    const { code, stdout, stderr } = await api.server.kurz(["links", command, slug]);
    return { code, text: stdout.trim() || stderr.trim() };
  };
  await kurz.links.delete(id);
  const others = [await newLink(kurz), await newLink(kurz), await newLink(kurz)];
  expect(await run("restore")).toMatchObject({ code: 1, text: expect.stringContaining("allows 3 active links") });
  await kurz.links.pause(others[0]?.id ?? "");
  expect(await run("restore")).toMatchObject({ code: 0, text: expect.stringContaining("is restored (active)") });
  expect(await open(slug)).toBe(302);
  expect(await run("erase")).toMatchObject({ code: 0, text: expect.stringContaining("is erased") });
  expect(await open(slug)).toBe(410);
  await errorFrom(kurz.links.get(id), "not_found");
  expect((await run("erase")).code).toBe(1);
  const { stdout } = await api.server.kurz(["audit", "list", "--account", account, "--json", "--limit", "2"]);
  const entries = JSON.parse(stdout).data as { action: string; actor: string; from: string }[];
  expect(entries.map(({ action, actor, from }) => [action, actor, from])).toEqual([
    ["link.erased", "operator", "command"],
    ["link.restored", "operator", "command"],
  ]);
});
