import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type LinkAction, linkActions } from "#contract/links.ts";
import type { Kurz } from "#sdk/client.ts";
import type { Link } from "#sdk/generated.ts";
import { type Api, errorFrom, newLink, outcomeOf, smallPlans, startApi } from "#test/support/api-client.ts";
import { until } from "#test/support/until.ts";

let api: Api;

beforeAll(async () => {
  api = await startApi({ ...smallPlans, KURZ_REDIRECT_PROCESSES: "2" });
});
afterAll(() => api.stop());

/** The actions that bring a new link into each state. */
const ways = {
  active: [],
  paused: ["pause"],
  archived: ["archive"],
  "archived while paused": ["pause", "archive"],
} as const satisfies Record<string, readonly LinkAction[]>;
type From = keyof typeof ways;

async function linkIn(kurz: Kurz, from: From): Promise<Link> {
  let link = await newLink(kurz);
  for (const action of ways[from]) link = await kurz.links[action](link.id);
  return link;
}

const open = async ({ slug }: Link): Promise<number> =>
  (await fetch(`${api.server.url}/${slug}`, { redirect: "manual" })).status;

/** The resulting state; `same` if nothing changes, `refused` if the state forbids it. */
const table: readonly (readonly [LinkAction, From, string])[] = [
  ["pause", "active", "paused"],
  ["pause", "paused", "same"],
  ["pause", "archived", "refused"],
  ["pause", "archived while paused", "refused"],
  ["resume", "active", "same"],
  ["resume", "paused", "active"],
  ["resume", "archived", "refused"],
  ["resume", "archived while paused", "refused"],
  ["archive", "active", "archived"],
  ["archive", "paused", "archived"],
  ["archive", "archived", "same"],
  ["archive", "archived while paused", "same"],
  ["unarchive", "active", "same"],
  ["unarchive", "paused", "same"],
  ["unarchive", "archived", "active"],
  ["unarchive", "archived while paused", "paused"],
];

describe("the states of a link", () => {
  test.each(table)("%s if %s: %s", async (action, from, expected) => {
    const { kurz } = await api.newCaller();
    const before = await linkIn(kurz, from);
    await until("the clock moves on", () => Date.now() > Date.parse(before.updated_at) + 1);
    if (expected === "refused") {
      const { details } = await errorFrom(kurz.links[action](before.id), "invalid_state");
      expect(details).toEqual({ state: "archived", action, allowed_actions: ["unarchive"] });
      return expect(await kurz.links.get(before.id)).toEqual(before);
    }
    const { status, headers, data } = await kurz.request(`links.${action}`, { params: { id: before.id } });
    expect(status).toBe(200);
    expect(headers.get("ETag")).toBe(`"${data.version}"`);
    if (expected === "same") expect(data).toEqual(before);
    else {
      expect(data).toMatchObject({ state: expected, version: before.version + 1 });
      expect(data.updated_at > before.updated_at).toBe(true);
    }
    expect(await kurz.links.get(before.id)).toEqual(data);
  });

  test("the times of pausing and archiving are kept while the state lasts", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    const paused = await kurz.links.pause(id);
    expect(paused).toMatchObject({ paused_at: paused.updated_at, archived_at: null });
    const archived = await kurz.links.archive(id);
    expect(archived).toMatchObject({ paused_at: paused.paused_at, archived_at: archived.updated_at });
    expect(await kurz.links.unarchive(id)).toMatchObject({ paused_at: paused.paused_at, archived_at: null });
    expect(await kurz.links.resume(id)).toMatchObject({ paused_at: null, archived_at: null });
  });

  test("visitors see the new state at once", async () => {
    const { kurz } = await api.newCaller();
    const link = await newLink(kurz);
    for (const [action, status] of [
      ["pause", 404],
      ["resume", 302],
      ["archive", 410],
      ["unarchive", 302],
      ["pause", 404],
      ["archive", 410],
      ["unarchive", 404],
      ["resume", 302],
    ] as const) {
      await kurz.links[action](link.id);
      expect([action, await open(link)]).toEqual([action, status]);
    }
  });

  test("20 equal actions at once change the link once", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    const results = await Promise.all(Array.from({ length: 20 }, () => kurz.links.pause(id)));
    expect(new Set(results.map(({ version }) => version))).toEqual(new Set([2]));
  });
});

describe("the plan", () => {
  test("is checked before a link becomes active, and only then", async () => {
    const { kurz } = await api.newCaller({ plan: "single" });
    const paused = await linkIn(kurz, "paused");
    const archived = await linkIn(kurz, "archived");
    const both = await linkIn(kurz, "archived while paused");
    const active = await newLink(kurz);
    for (const call of [() => kurz.links.resume(paused.id), () => kurz.links.unarchive(archived.id)]) {
      const { details } = await errorFrom(call(), "plan_limit");
      expect(details).toEqual({ feature: "active_links", limit: 1 });
    }
    expect(await kurz.links.get(archived.id)).toEqual(archived);
    expect((await kurz.links.unarchive(both.id)).state).toBe("paused");
    expect((await kurz.links.resume(active.id)).version).toBe(1);
    await kurz.links.archive(active.id);
    expect((await kurz.links.resume(paused.id)).state).toBe("active");
    expect((await kurz.me.get()).plan.features.active_links).toEqual({ limit: 1, used: 1 });
  });

  test("of ten links resumed at once with one place left, exactly one becomes active", async () => {
    const { kurz } = await api.newCaller({ plan: "single" });
    const links: Link[] = [];
    for (let count = 0; count < 10; count += 1) links.push(await linkIn(kurz, "paused"));
    const results = await Promise.allSettled(links.map(({ id }) => kurz.links.resume(id)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });
});

describe("If-Match", () => {
  test.each(linkActions.map((action) => [action]))("guards %s", async (action) => {
    const { token, kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    const act = async (ifMatch: string) =>
      outcomeOf(
        await api.call({
          method: "POST",
          path: `/api/v1/links/${id}/${action}`,
          token,
          headers: { "If-Match": ifMatch },
        }),
      );
    expect(await act('"2"')).toBe("412 precondition_failed");
    expect(await act('W/"1"')).toBe("412 precondition_failed");
    expect(await act('"1"')).toBe("200");
    expect(await act("*")).toBe("200");
  });
});

test("a blocked link can be paused, archived and deleted, and stays blocked", async () => {
  const { kurz } = await api.newCaller();
  const link = await newLink(kurz);
  expect((await api.server.kurz(["links", "block", link.id, "--reason", "legal"])).code).toBe(0);
  const blocked = { blocked: { reason: "legal" as const } };
  for (const action of linkActions) {
    expect(await kurz.links[action](link.id)).toMatchObject(blocked);
    expect(await open(link)).toBe(410);
  }
  expect(await kurz.links.update(link.id, { destination_url: "https://example.org/" })).toMatchObject(blocked);
  await kurz.links.delete(link.id);
  expect(await open(link)).toBe(410);
});
