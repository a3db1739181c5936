import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import fc from "fast-check";
import { apply } from "json-merge-patch";
import { updateLink } from "#contract/links.ts";
import type { Link, LinkPatch } from "#sdk/generated.ts";
import { type Api, errorFrom, errorOf, fieldErrorsOf, joinApi, newLink, outcomeOf } from "#test/support/api-client.ts";
import { until } from "#test/support/until.ts";

const FULL = {
  destination_url: "https://example.com/a",
  title: "Title",
  tags: ["one", "two"],
  utm: { utm_source: "s", utm_medium: "m" },
  expires_at: "2099-01-01T00:00:00.000Z",
};

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

async function patch(link: Link, token: string, json: unknown, headers: Readonly<Record<string, string>> = {}) {
  return api.call({ method: "PATCH", path: `/api/v1/links/${link.id}`, token, json, headers });
}

const later = (link: Link): Promise<number> =>
  until("the clock moves on", () => Date.now() > Date.parse(link.updated_at) + 1);

describe("200", () => {
  test("changes the given fields and nothing else, and increments the version", async () => {
    const { kurz } = await api.newCaller();
    const before = await newLink(kurz, FULL);
    await later(before);
    const { data, headers } = await kurz.request("links.update", { params: { id: before.id }, body: { title: "New" } });
    expect(data).toEqual({ ...before, title: "New", version: 2, updated_at: data.updated_at });
    expect(data.updated_at > before.updated_at).toBe(true);
    expect(headers.get("ETag")).toBe('"2"');
    expect(await kurz.links.get(before.id)).toEqual(data);
  });

  test("accepts a merge patch with both media types", async () => {
    const { token, kurz } = await api.newCaller();
    const link = await newLink(kurz, FULL);
    for (const type of [
      "application/merge-patch+json",
      "application/json",
      "application/merge-patch+json; charset=utf-8",
    ]) {
      const answer = await patch(link, token, { title: type }, { "Content-Type": type });
      expect(answer.json).toMatchObject({ title: type });
    }
  });

  test("clears with null, replaces whole lists and merges UTM parameters one by one", async () => {
    const { kurz } = await api.newCaller();
    const cases: [LinkPatch, Partial<Link>][] = [
      [{ title: null }, { title: null }],
      [{ expires_at: null }, { expires_at: null }],
      [{ tags: null }, { tags: [] }],
      [{ tags: [] }, { tags: [] }],
      [{ tags: ["three"] }, { tags: ["three"] }],
      [{ utm: null }, { utm: {} }],
      [{ utm: { utm_medium: null } }, { utm: { utm_source: "s" } }],
      [{ utm: { utm_term: "t" } }, { utm: { utm_source: "s", utm_medium: "m", utm_term: "t" } }],
      [{ utm: { utm_source: "x", utm_medium: null } }, { utm: { utm_source: "x" } }],
      [{ destination_url: "https://EXAMPLE.org" }, { destination_url: "https://example.org/" }],
      [{ expires_at: "2098-01-01T02:00:00+02:00" }, { expires_at: "2098-01-01T00:00:00.000Z" }],
      [{ title: " trimmed " }, { title: "trimmed" }],
    ];
    for (const [body, changed] of cases) {
      const before = await newLink(kurz, FULL);
      const after = await kurz.links.update(before.id, body);
      expect(after).toEqual({ ...before, ...changed, version: 2, updated_at: after.updated_at });
    }
  });

  test("changes nothing, not even the version, if there is nothing to change", async () => {
    const { kurz } = await api.newCaller();
    const before = await newLink(kurz, FULL);
    await later(before);
    const bodies: LinkPatch[] = [
      {},
      { utm: {} },
      { title: "Title" },
      { title: "  Title " },
      { tags: ["one", "ONE", "two"] },
      { destination_url: "https://EXAMPLE.com:443/a" },
      { utm: { utm_campaign: null } },
      { expires_at: "2099-01-01T01:00:00+01:00" },
      FULL,
    ];
    for (const body of bodies) {
      const { status, headers, data } = await kurz.request("links.update", { params: { id: before.id }, body });
      expect([status, headers.get("ETag")]).toEqual([200, '"1"']);
      expect(data).toEqual(before);
    }
  });

  test("follows RFC 7396 for any patch", async () => {
    const { kurz } = await api.newCaller();
    const text = fc.string({ unit: fc.constantFrom(..."abcé🔗"), minLength: 1, maxLength: 8 });
    const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });
    const utmKeys = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
    const patches = fc.record(
      {
        title: optional(text),
        tags: optional(fc.uniqueArray(text, { maxLength: 4 })),
        utm: optional(fc.dictionary(fc.constantFrom(...utmKeys), optional(text), { maxKeys: 3 })),
        destination_url: fc.constantFrom("https://example.com/1", "https://example.com/2"),
      },
      { requiredKeys: [] },
    );
    const writable = ({ title, tags, utm, destination_url }: Link) => ({ title, tags, utm, destination_url });
    let current = await newLink(kurz, FULL);
    await fc.assert(
      fc.asyncProperty(patches, async (body) => {
        const merged = apply(structuredClone(writable(current)), body);
        // In a record that shows every field, a removed member is an empty one.
        const expected = { title: null, ...merged, tags: merged.tags ?? [], utm: merged.utm ?? {} };
        current = await kurz.links.update(current.id, body);
        expect(writable(current)).toEqual(expected as ReturnType<typeof writable>);
      }),
      { numRuns: 60 },
    );
  });

  test("works in every state, and keeps it", async () => {
    const { kurz } = await api.newCaller();
    for (const action of ["pause", "archive"] as const) {
      const { id } = await newLink(kurz);
      const before = await kurz.links[action](id);
      expect(await kurz.links.update(id, { title: "x" })).toMatchObject({
        title: "x",
        state: before.state,
        version: 3,
      });
    }
  });

  test("redirects visitors to the new destination at once", async () => {
    const { kurz } = await api.newCaller();
    const link = await newLink(kurz);
    const open = async () =>
      (await fetch(`${api.server.url}/${link.slug}`, { redirect: "manual" })).headers.get("Location");
    expect(await open()).toBe("https://example.com/");
    for (let count = 0; count < 10; count += 1) {
      await kurz.links.update(link.id, { destination_url: `https://example.com/${count}` });
      expect(await open()).toBe(`https://example.com/${count}`);
    }
  });
});

describe("412", () => {
  test("of two changes to the same version, one is made and the other refused", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    const results = await Promise.allSettled(
      ["a", "b"].map((title) => kurz.links.update(id, { title }, { ifMatch: 1 })),
    );
    expect(results.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const { details } = await errorFrom(kurz.links.update(id, { title: "c" }, { ifMatch: 1 }), "precondition_failed");
    expect(details).toEqual({ current_version: 2 });
    expect((await kurz.links.update(id, { title: "c" }, { ifMatch: 2 })).version).toBe(3);
  });

  test.each([
    ['"1"', 200],
    ["*", 200],
    ['"0", "1"', 200],
    ['W/"0", "1"', 200],
    ['W/"1"', 412],
    ['"0"', 412],
    ['"2"', 412],
    ['"01"', 412],
    ["1", 412],
    ['"*"', 412],
  ])("If-Match %s answers %d for version 1", async (ifMatch, status) => {
    const { token, kurz } = await api.newCaller();
    const link = await newLink(kurz);
    const answer = await patch(link, token, { title: "x" }, { "If-Match": ifMatch });
    expect(answer.status).toBe(status);
    expect((await kurz.links.get(link.id)).version).toBe(status === 200 ? 2 : 1);
  });

  test("applies to a patch that would change nothing, too", async () => {
    const { token, kurz } = await api.newCaller();
    expect(outcomeOf(await patch(await newLink(kurz), token, {}, { "If-Match": '"7"' }))).toBe(
      "412 precondition_failed",
    );
  });
});

describe("422", () => {
  const refused = async (json: unknown): Promise<string[]> => {
    const { token, kurz } = await api.newCaller();
    const link = await newLink(kurz, FULL);
    const answer = await patch(link, token, json);
    expect(await kurz.links.get(link.id)).toEqual(link);
    return fieldErrorsOf(errorOf(answer));
  };

  test.each(updateLink.readOnlyFields.map((field) => [field]))("%s is read-only", async (field) => {
    for (const value of [null, "x", 1]) {
      expect(await refused({ [field]: value })).toEqual([`body ${field} read_only_field`]);
    }
  });

  test("the read-only fields are exactly these", () => {
    expect(updateLink.readOnlyFields.toSorted()).toEqual(
      "archived_at blocked click_count created_at created_via deleted_at domain erases_at exhausted expired id last_clicked_at password_protected paused_at scheduled short_url slug state updated_at version".split(
        " ",
      ),
    );
  });

  test.each([
    ["no destination", { destination_url: null }, ["body destination_url type"]],
    ["a bad destination", { destination_url: "javascript:alert(1)" }, ["body destination_url scheme_not_allowed"]],
    ["an empty title", { title: "" }, ["body title too_short"]],
    ["no tag", { tags: [null] }, ["body tags.0 type"]],
    ["an empty UTM value", { utm: { utm_source: "" } }, ["body utm.utm_source too_short"]],
    ["an unknown UTM key", { utm: { utm_id: null } }, ["body utm.utm_id unknown_field"]],
    ["a past expiry", { expires_at: "2020-01-01T00:00:00Z" }, ["body expires_at in_past"]],
    ["an unknown field", { colour: "red" }, ["body colour unknown_field"]],
    ["a reserved slug", { slug: "api" }, ["body slug read_only_field"]],
    ["two mistakes", { title: "", slug: "x" }, ["body slug read_only_field", "body title too_short"]],
  ])("%s is refused, and nothing is changed", async (_, json, expected) => {
    expect(await refused(json)).toEqual([...expected]);
  });

  test("UTM parameters can't make the destination too long", async () => {
    const { token, kurz } = await api.newCaller();
    const link = await newLink(kurz, { destination_url: `https://example.com/${"a".repeat(7950)}` });
    const answer = await patch(link, token, { utm: { utm_source: "s".repeat(100) } });
    expect(fieldErrorsOf(errorOf(answer))).toEqual(["body destination_url too_long"]);
  });
});
