import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Kurz } from "#sdk/client.ts";
import type { Link, LinksListQuery } from "#sdk/generated.ts";
import { type Api, errorFrom, errorOf, fieldErrorsOf, joinApi, newLink, outcomeOf } from "#test/support/api-client.ts";
import { until } from "#test/support/until.ts";

const PATH = "/api/v1/links";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const makeLinks = async (kurz: Kurz, count: number): Promise<Link[]> => {
  const links: Link[] = [];
  for (let index = 0; index < count; index += 1) links.push(await newLink(kurz, { title: `Link ${index}` }));
  return links;
};

const later = ({ updated_at }: Link): Promise<number> =>
  until("the clock moves on", () => Date.now() > Date.parse(updated_at));

const slugsOf = (links: Iterable<Link>): string[] => [...links].map(({ slug }) => slug);
const listed = async (kurz: Kurz, query: LinksListQuery = {}): Promise<string[]> =>
  slugsOf((await kurz.links.list(query)).data);

describe("a page", () => {
  test("has the newest 25 links first, without archived ones", async () => {
    const { kurz } = await api.newCaller();
    const links = await makeLinks(kurz, 28);
    const [first, second] = links;
    await kurz.links.archive(first?.id ?? "");
    await kurz.links.pause(second?.id ?? "");
    const { data, headers } = await kurz.request("links.list");
    expect(slugsOf(data.data)).toEqual(slugsOf(links.toReversed().slice(0, 25)));
    expect(data.has_more).toBe(true);
    expect(headers.has("ETag")).toBe(false);
    const rest = await kurz.links.list({ cursor: data.next_cursor ?? "" });
    expect(slugsOf(rest.data)).toEqual(slugsOf(links.slice(1, 3).toReversed()));
    expect(rest).toMatchObject({ has_more: false, next_cursor: null });
  });

  test("is empty for an account without links, and never shows another account's", async () => {
    await makeLinks((await api.newCaller()).kurz, 3);
    const { kurz } = await api.newCaller();
    const { data, headers } = await kurz.request("links.list", { query: { state: ["all"] } });
    expect(data).toEqual({ data: [], has_more: false, next_cursor: null, previous_cursor: null });
    expect(headers.has("Link")).toBe(false);
  });

  test("shows each link as if read alone", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz, {
      title: "A",
      tags: ["x"],
      utm: { utm_term: "t" },
      expires_at: "2099-01-01T00:00:00Z",
    });
    await kurz.links.pause(id);
    expect((await kurz.links.list()).data).toEqual([await kurz.links.get(id)]);
  });

  test("may have 1 to 100 links", async () => {
    const { token, kurz } = await api.newCaller();
    await makeLinks(kurz, 3);
    expect(await listed(kurz, { limit: 1 })).toHaveLength(1);
    expect(await listed(kurz, { limit: 3 })).toHaveLength(3);
    expect((await kurz.links.list({ limit: 3 })).has_more).toBe(false);
    expect(await listed(kurz, { limit: 100 })).toHaveLength(3);
    for (const [limit, code] of [
      ["0", "out_of_range"],
      ["101", "out_of_range"],
      ["-1", "out_of_range"],
      ["1.5", "type"],
      ["ten", "type"],
      ["", "type"],
      ["1e1", "type"],
      ["05", "type"],
      ["00", "type"],
      ["0x10", "type"],
    ] as const) {
      const answer = await api.call({ path: `${PATH}?limit=${limit}`, token });
      expect([limit, fieldErrorsOf(errorOf(answer))]).toEqual([limit, [`query limit ${code}`]]);
    }
  });
});

describe("paging", () => {
  test("returns every link once, by cursor and by the Link header, while new ones are created", async () => {
    const { token, kurz } = await api.newCaller();
    const links = await makeLinks(kurz, 23);
    const seen: Link[] = [];
    let path: string | undefined = `${PATH}?limit=5&state=active&state=paused`;
    while (path !== undefined) {
      const answer = await api.call({ path, token });
      const page = answer.json as { data: Link[]; has_more: boolean; next_cursor: string | null };
      seen.push(...page.data);
      await newLink(kurz);
      path = /<(\/api\/v1\/links\?[^>]*)>; rel="next"/.exec(answer.headers.get("Link") ?? "")?.[1];
      expect(page.has_more).toBe(path !== undefined);
      const next = path === undefined ? null : new URL(path, api.server.url).searchParams;
      expect(next?.getAll("cursor") ?? [page.next_cursor]).toEqual([page.next_cursor]);
      if (next) expect([next.get("limit"), next.getAll("state")]).toEqual(["5", ["active", "paused"]]);
    }
    expect(slugsOf(seen)).toEqual(slugsOf(links.toReversed()));
  });

  test("may change the page size along the way", async () => {
    const { kurz } = await api.newCaller();
    const links = await makeLinks(kurz, 5);
    const first = await kurz.links.list({ limit: 2, sort: "created_at" });
    const rest = await kurz.links.list({ limit: 50, sort: "created_at", cursor: first.next_cursor ?? "" });
    expect(slugsOf([...first.data, ...rest.data])).toEqual(slugsOf(links));
  });

  test("returns every link once in every order, even with equal keys", async () => {
    const { kurz } = await api.newCaller();
    const links = await Promise.all(Array.from({ length: 12 }, () => newLink(kurz)));
    for (const sort of [
      "-created_at",
      "created_at",
      "-updated_at",
      "updated_at",
      "-click_count",
      "-last_clicked_at",
    ] as const) {
      const seen: Link[] = [];
      for await (const link of kurz.links.all({ limit: 5, sort })) seen.push(link);
      expect(slugsOf(seen).toSorted()).toEqual(slugsOf(links).toSorted());
    }
  });

  test("accepts a cursor only for its own list, and only unchanged", async () => {
    const { token, kurz } = await api.newCaller();
    await makeLinks(kurz, 3);
    const { next_cursor } = await kurz.links.list({ limit: 1 });
    const cursor = next_cursor ?? "";
    const flipped = cursor.slice(0, -2) + (cursor.endsWith("AA") ? "BB" : "AA");
    for (const query of [
      `cursor=${cursor}&sort=created_at`,
      `cursor=${cursor}&state=active`,
      `cursor=${cursor}&tag=x`,
      `cursor=${cursor}&q=example`,
      `cursor=${cursor}&blocked=false`,
      `cursor=${cursor.slice(0, -4)}`,
      `cursor=${cursor}AAAA`,
      `cursor=${flipped}`,
      `cursor=${Buffer.from('{"v":1,"no":1}').toString("base64url")}`,
      "cursor=nonsense",
      "cursor=",
      "cursor=%00",
      "cursor=' or 1=1--",
    ]) {
      const answer = await api.call({ path: `${PATH}?limit=1&${query}`, token });
      expect([query, fieldErrorsOf(errorOf(answer))]).toEqual([query, ["query cursor invalid_cursor"]]);
    }
    expect((await kurz.links.list({ limit: 1, cursor })).data).toHaveLength(1);
  });

  test("with another account's cursor shows nothing of that account", async () => {
    const one = await api.newCaller();
    const other = await api.newCaller();
    await makeLinks(one.kurz, 3);
    const own = await makeLinks(other.kurz, 3);
    const { next_cursor } = await one.kurz.links.list({ limit: 1 });
    const answer = await api.call({ path: `${PATH}?limit=1&cursor=${next_cursor}`, token: other.token });
    if (answer.status !== 200) return expect(outcomeOf(answer)).toBe("422 validation_failed");
    for (const slug of slugsOf((answer.json as { data: Link[] }).data)) expect(slugsOf(own)).toContain(slug);
  });
});

describe("sorting", () => {
  test("is by creation or last change, in both directions", async () => {
    const { kurz } = await api.newCaller();
    const links = await makeLinks(kurz, 4);
    const [first, second, , last] = links as [Link, Link, Link, Link];
    await later(last);
    await later(await kurz.links.update(second.id, { title: "Changed" }));
    await kurz.links.pause(first.id);
    const byChange = [...links.slice(2), ...links.slice(1, 2), ...links.slice(0, 1)];
    expect(await listed(kurz, { sort: "created_at" })).toEqual(slugsOf(links));
    expect(await listed(kurz, { sort: "-created_at" })).toEqual(slugsOf(links.toReversed()));
    expect(await listed(kurz, { sort: "updated_at" })).toEqual(slugsOf(byChange));
    expect(await listed(kurz, { sort: "-updated_at" })).toEqual(slugsOf(byChange.toReversed()));
  });

  test("accepts no other key", async () => {
    const { token } = await api.newCaller();
    for (const sort of ["id", "+created_at", "clicks", "created_at desc", "-slug", ""]) {
      const answer = await api.call({ path: `${PATH}?sort=${encodeURIComponent(sort)}`, token });
      expect([sort, fieldErrorsOf(errorOf(answer))]).toEqual([sort, ["query sort not_in_enum"]]);
    }
  });
});

test("the SDK reports an invalid cursor as a typed error", async () => {
  const { kurz } = await api.newCaller();
  const { details } = await errorFrom(kurz.links.list({ cursor: "nonsense" }), "validation_failed");
  expect(details.errors.map(({ code }) => code)).toEqual(["invalid_cursor"]);
});
