import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, errorOf, fieldErrorsOf, newLink, startApi } from "#test/support/api-client.ts";
import { changeRecords } from "#test/support/change-records.ts";

const PATH = "/api/v1/links/count";

let api: Api;

beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const exactly = (count: number) => ({ count, at_least: false });

describe("the number of links", () => {
  test("is that of the list, without archived ones and other accounts'", async () => {
    const { kurz } = await api.newCaller();
    const stranger = await api.newCaller();
    expect(await kurz.links.count()).toEqual(exactly(0));
    const links = [];
    for (let index = 0; index < 30; index += 1) links.push(await newLink(kurz));
    await newLink(stranger.kurz);
    expect(await kurz.links.count()).toEqual(exactly(30));
    await kurz.links.archive(links[0]?.id ?? "");
    await kurz.links.pause(links[1]?.id ?? "");
    await kurz.links.delete(links[2]?.id ?? "");
    expect(await kurz.links.count()).toEqual(exactly(28));
    expect(await kurz.links.count({ state: ["paused"] })).toEqual(exactly(1));
    expect(await kurz.links.count({ state: ["all"] })).toEqual(exactly(29));
    expect(await kurz.links.count({ state: ["deleted"] })).toEqual(exactly(1));
    expect(await kurz.links.count({ state: ["deleted"], q: links[2]?.slug ?? "" })).toEqual(exactly(1));
    expect(await kurz.links.count({ state: ["deleted"], tag: ["none"] })).toEqual(exactly(0));
  });

  test("follows every filter of the list", async () => {
    const { kurz } = await api.newCaller();
    await newLink(kurz, { title: "Spring sale", tags: ["news", "shop"], slug: "count-me", external_id: "x-1" });
    await newLink(kurz, { title: "Spring cleaning", tags: ["news"] });
    const { domain, created_at } = await newLink(kurz, { title: "Other", expires_at: "2099-01-01T00:00:00Z" });
    for (const [query, count] of [
      [{ q: "spring" }, 2],
      [{ q: "nowhere" }, 0],
      [{ q: "a\u0000b" }, 0],
      [{ tag: ["NEWS"] }, 2],
      [{ tag: ["news", "shop"] }, 1],
      [{ q: "cleaning", tag: ["shop"] }, 0],
      [{ slug: "COUNT-ME" }, 1],
      [{ external_id: "x-1" }, 1],
      [{ domain }, 3],
      [{ domain: "other.example" }, 0],
      [{ created_via: "import" as const }, 0],
      [{ expired: true }, 0],
      [{ expired: false }, 3],
      [{ blocked: true }, 0],
      [{ created_before: "2020-01-01T00:00:00Z" }, 0],
      [{ created_after: created_at, q: "other" }, 1],
    ] as const) {
      expect([query, await kurz.links.count({ ...query, tag: [...("tag" in query ? query.tag : [])] })]).toEqual([
        query,
        exactly(count),
      ]);
    }
  });

  test("is exact up to 10,000, and a lower bound beyond", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz, { title: "One of many", tags: ["many"] });
    // By the API it would take minutes.
    const copy = (first: number, last: number) =>
      changeRecords(
        api.server,
        `insert into links (id, account_no, key, destination_url, title, tags, utm, state, created_via, version, created_at,
           updated_at, search_text)
         with recursive copies (number) as (select ? union all select number + 1 from copies where number < ?)
         select 'lnk_copy_' || number, account_no, 'count-copy-' || number, destination_url, title, tags, utm, state,
           created_via, version, created_at, updated_at, search_text
         from links cross join copies where id = ?`,
        first,
        last,
        id,
      );
    copy(1, 9999);
    for (const query of [{}, { q: "one of many" }, { created_via: "api" as const }]) {
      expect(await kurz.links.count(query)).toEqual(exactly(10_000));
    }
    copy(10_000, 10_000);
    for (const query of [{}, { q: "one of many" }, { created_via: "api" as const }]) {
      expect(await kurz.links.count(query)).toEqual({ count: 10_000, at_least: true });
    }
    expect(await kurz.links.count({ tag: ["many"] })).toEqual(exactly(1));
  });
});

test("pages and orders can't be counted", async () => {
  const { token } = await api.newCaller();
  const answer = await api.call({ path: `${PATH}?limit=5&cursor=x&sort=created_at`, token });
  expect(fieldErrorsOf(errorOf(answer))).toEqual([
    "query cursor unknown_field",
    "query limit unknown_field",
    "query sort unknown_field",
  ]);
});
