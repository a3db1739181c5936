import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { releasedEndpoints } from "#contract/index.ts";
import type { Link } from "#sdk/generated.ts";
import { type Api, type Caller, newLink, startApi } from "#test/support/api-client.ts";
import { askOnce } from "#test/support/raw-connection.ts";

let api: Api;
let owner: Caller;
let link: Link;

beforeAll(async () => {
  api = await startApi();
  owner = await api.newCaller();
  link = await newLink(owner.kurz, { title: "A title", tags: ["tag"] });
});
afterAll(() => api.stop());

const unit = fc.constantFrom(
  ..."aZ09é🔗\u0000\u0001\n\u007f\u0085\u202e\ufeff\uffff%_\\'\"`*()[]{}<>=&+?#/:;,.-|^~!$@ ",
  "\u0301",
  "\ud800",
);
const text = fc.string({ unit, maxLength: 40 });
const instant = fc.tuple(
  fc.constantFrom("0000", "0001", "1969", "2038", "9999"),
  fc.constantFrom("-01-01T00:00:00", "-12-31T23:59:59.999", "-02-29T12:00:00"),
  fc.constantFrom("Z", "+00:00", "+23:59", "-23:59", "-00:00"),
);
const value = fc.oneof(
  text,
  instant.map((parts) => parts.join("")),
  fc.constantFrom("true", "false", "1", "100", "-1", "active", "all", "created_at", "-click_count", "api"),
);

const readable = releasedEndpoints.filter(({ method, query }) => method === "GET" && query);

test.each(readable.map((endpoint) => [endpoint.id, endpoint] as const))(
  "no query makes %s fail",
  async (_, { path, query: schema }) => {
    const name = fc.constantFrom(...Object.keys(schema?.shape ?? {}));
    const query = fc.uniqueArray(fc.tuple(name, value), { selector: ([key]) => key, maxLength: 4 });
    const target = path.replace("{id}", link.id);
    await fc.assert(
      fc.asyncProperty(query, async (pairs) => {
        const search = new URLSearchParams(pairs.map(([key, given]): [string, string] => [key, given.toWellFormed()]));
        const { status } = await api.call({ path: `${target}?${search}`, token: owner.token });
        expect([200, 422]).toContain(status);
      }),
      { numRuns: 200 },
    );
  },
);

test("no body makes creating or changing a link fail, and accepted values can be read back", async () => {
  const { kurz, token } = await api.newCaller();
  const { id } = await newLink(kurz);
  const field = fc.oneof(
    text,
    instant.map((parts) => parts.join("")),
    fc.jsonValue({ maxDepth: 3 }),
    fc.constant(null),
  );
  const utm = fc.dictionary(fc.constantFrom("utm_source", "utm_term", "utm_x"), field, { maxKeys: 3 });
  const body = fc.record(
    {
      destination_url: fc.oneof(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        text.map((path) => `https://example.com/${path}`),
        field,
      ),
      title: field,
      tags: fc.oneof(fc.array(text, { maxLength: 5 }), field),
      utm: fc.oneof(utm, field),
      expires_at: field,
    },
    { requiredKeys: ["destination_url"] },
  );
  await fc.assert(
    fc.asyncProperty(body, async (json) => {
      const created = await api.call({ method: "POST", path: "/api/v1/links", token, json });
      expect([201, 422]).toContain(created.status);
      const changed = await api.call({ method: "PATCH", path: `/api/v1/links/${id}`, token, json });
      expect([200, 422]).toContain(changed.status);
      expect((await api.call({ path: "/api/v1/links?limit=2", token })).status).toBe(200);
      if (created.status !== 201) return;
      const read = await api.call({ path: created.headers.get("Location") ?? "", token });
      expect(read.json).toEqual(created.json);
    }),
    { numRuns: 300 },
  );
});

test("no path makes the service fail, with or without a token", async () => {
  const piece = fc.constantFrom(
    ..."/abz09.%_+?#;:@&=~\\".split(""),
    "%2f",
    "%00",
    "%2e%2e",
    "/../",
    "/api",
    "/api/v1/",
    "/api/v1/links/",
    "/docs/",
    "//",
    "%E2%80%AE",
    "%ff",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 8 }), fc.boolean(), async (pieces, withToken) => {
      const headers = withToken ? [["Authorization", `Bearer ${owner.token}`] as const] : [];
      const { status } = await askOnce(api.server.port, { target: `/${pieces.join("")}`, headers });
      expect(status).toBeLessThan(500);
    }),
    { numRuns: 300 },
  );
  expect(await owner.kurz.links.get(link.id)).toEqual(link);
});
