import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { actOnLinks, LINKS_CHANGED_MAX, listLinkDays, tagLinks } from "#contract/console/links.ts";
import { getLinkHistory, revertLink } from "#contract/link-history.ts";
import { createLink, listLinks, updateLink } from "#contract/links.ts";
import { updateTag } from "#contract/tags.ts";
import { type ConsoleClient, type ConsoleServer, outcomeOf, startConsole } from "#test/support/console-client.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { daysAgo } from "#test/support/report-clicks.ts";
import { until } from "#test/support/until.ts";

let site: ConsoleServer;

beforeAll(async () => {
  site = await startConsole();
});
afterAll(() => site.stop());

async function makeLinks(me: ConsoleClient, count: number, tags: readonly string[] = []): Promise<string[]> {
  const ids: string[] = [];
  for (let index = 0; index < count; index += 1) {
    const { id } = await me.do(createLink, { body: { destination_url: "https://example.com/", tags } });
    ids.push(id);
  }
  return ids;
}

const statesOf = async (me: ConsoleClient) =>
  (await me.do(listLinks, { query: { state: "all" } })).data.map(({ state }) => state);

describe("actions on several links", () => {
  test("change each link like a single call, and say why one couldn't be changed", async () => {
    const me = await site.newOwner();
    const [a = "", b = "", c = ""] = await makeLinks(me, 3);
    const stranger = await site.newOwner();
    const [foreign = ""] = await makeLinks(stranger, 1);
    await me.do(actOnLinks, { body: { ids: [c], action: "archive" } });
    const { data } = await me.do(actOnLinks, { body: { ids: [a, b, a, c, foreign], action: "pause" } });
    expect(data.map(({ id, link, problem }) => [id, link?.state ?? null, problem?.message ?? null])).toEqual([
      [a, "paused", null],
      [b, "paused", null],
      [c, null, "An archived link can't be paused; unarchive it first."],
      [foreign, null, "There is no such object in this account."],
    ]);
    // What a console in another language needs to say it.
    expect(data[2]?.problem).toMatchObject({ code: "invalid_state", details: { state: "archived", action: "pause" } });
    expect(data[0]?.link?.version).toBe(2);
    expect(await statesOf(me)).toEqual(["archived", "paused", "paused"]);
    expect(await statesOf(stranger)).toEqual(["active"]);
  });

  test("can delete, restore and erase", async () => {
    const me = await site.newOwner();
    const ids = await makeLinks(me, 3);
    const run = async (action: string, chosen = ids) =>
      (await me.do(actOnLinks, { body: { ids: chosen, action } })).data.map(({ link, problem }) => [
        link?.state ?? null,
        problem?.code ?? null,
      ]);
    expect(await run("delete", ids.slice(1))).toEqual(Array(2).fill(["deleted", null]));
    expect((await me.do(listLinks)).data.map(({ id }) => id)).toEqual(ids.slice(0, 1));
    expect(await run("pause")).toEqual([["paused", null], ...Array(2).fill([null, "invalid_state"])]);
    expect(await run("restore")).toEqual([
      ["paused", null],
      ["active", null],
      ["active", null],
    ]);
    expect(await run("delete", ids.slice(2))).toEqual([["deleted", null]]);
    expect(await run("erase")).toEqual(Array(3).fill([null, null]));
    for (const state of ["all", "deleted"]) expect((await me.do(listLinks, { query: { state } })).data).toEqual([]);
    expect(await run("restore", ids.slice(0, 1))).toEqual([[null, "not_found"]]);
  });

  test("need the role of a member, and take up to 100 links", async () => {
    const viewer = await site.newMember("viewer");
    const [id = ""] = await makeLinks(site.owner, 1);
    for (const [endpoint, body] of [
      [actOnLinks, { action: "pause" }],
      [tagLinks, { add: ["x"] }],
    ] as const) {
      expect(outcomeOf(await viewer.call(endpoint, { body: { ids: [id], ...body } }))).toBe("403 role_insufficient");
      const ids = Array.from({ length: LINKS_CHANGED_MAX + 1 }, (_, index) => `lnk_${index}`);
      expect(outcomeOf(await site.owner.call(endpoint, { body: { ids, ...body } }))).toBe("422 validation_failed");
      expect(outcomeOf(await site.owner.call(endpoint, { body: { ids: [], ...body } }))).toBe("422 validation_failed");
    }
  });
});

describe("tags of several links", () => {
  test("are added and removed, and the others stay", async () => {
    const me = await site.newOwner();
    const ids = [...(await makeLinks(me, 2, ["old", "kept"])), ...(await makeLinks(me, 1, ["new"]))];
    const full = Array.from({ length: 20 }, (_, index) => `tag-${index}`);
    ids.push(...(await makeLinks(me, 1, full)));
    const { data } = await me.do(tagLinks, { body: { ids, add: ["new"], remove: ["old"] } });
    expect(data.map(({ link, problem }) => [link?.tags ?? null, link?.version ?? null, problem?.code ?? null])).toEqual(
      [
        [["kept", "new"], 2, null],
        [["kept", "new"], 2, null],
        [["new"], 1, null],
        [null, null, "validation_failed"],
      ],
    );
    expect(data[3]?.problem?.details).toMatchObject({ errors: [{ message: "A link can have at most 20 tags." }] });
  });
});

test("whatever people change in the console is in a link's history under their name", async () => {
  const me = await site.newOwner();
  const member = await site.newMember("member", me);
  const { id } = await me.do(createLink, { body: { destination_url: "https://example.com/", tags: ["a"] } });
  const params = { id };
  await member.do(updateLink, { params, body: { title: "Two" } });
  await me.do(actOnLinks, { body: { ids: [id], action: "pause" } });
  await member.do(tagLinks, { body: { ids: [id], add: ["b"] } });
  await me.do(updateTag, { params: { tag: "b" }, body: { name: "c" } });
  await member.do(revertLink, { params, body: { version: 1 } });
  const { data } = await me.do(getLinkHistory, { params });
  // An owner that the operator has created has no other name yet. In particular, not that of the account.
  const [owner = ""] = me.email.split("@");
  const by = (name: string) => ({ by: { type: "user", id: expect.any(String), name }, via: "console" });
  expect(data).toMatchObject([
    { action: "reverted", after: { title: null, tags: ["a"] }, ...by("member") },
    { action: "updated", after: { tags: ["a", "c"] }, ...by(owner) },
    { action: "updated", after: { tags: ["a", "b"] }, ...by("member") },
    { action: "paused", after: { state: "paused" }, ...by(owner) },
    { action: "updated", after: { title: "Two" }, ...by("member") },
    { action: "created", after: { tags: ["a"] }, ...by(owner) },
  ]);
});

describe("the days of several links", () => {
  test("are clicks by people on each of the last 30 UTC days, of one's own links", async () => {
    const me = await site.newOwner();
    const stranger = await site.newOwner();
    const [busy = "", bots = "", quiet = ""] = await makeLinks(me, 3);
    const [foreign = ""] = await makeLinks(stranger, 1);
    await leavePastClicks(site.server, [
      { link: busy, at: daysAgo(1), times: 2 },
      { link: busy, at: daysAgo(28), times: 3 },
      { link: busy, at: daysAgo(31), times: 5 },
      { link: bots, at: daysAgo(1), times: 4, bot: true },
      { link: foreign, at: daysAgo(1), times: 6 },
    ]);
    const daysOf = async (client: ConsoleClient, ...ids: string[]) => {
      const path = `${listLinkDays.path}?${ids.map((id) => `id=${id}`).join("&")}`;
      const answer = await client.request("GET", path, { headers: { "kurz-account": client.account } });
      return ((await answer.json()) as { data: { id: string; clicks: number[] }[] }).data;
    };
    // Its clicks were left last.
    await until("the clicks are there", async () => (await daysOf(stranger, foreign)).length === 1);
    const data = await daysOf(me, busy, bots, quiet, foreign, "lnk_unknown");
    expect(data.map(({ id }) => id)).toEqual([busy]);
    // At midnight the days move on by one.
    const days = data[0]?.clicks ?? [];
    expect(days).toHaveLength(30);
    expect(days.join()).toContain([3, ...Array<number>(26).fill(0), 2].join());
    expect(days.reduce((sum, clicks) => sum + clicks)).toBe(5);
  });
});
