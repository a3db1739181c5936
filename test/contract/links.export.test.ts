import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, joinApi, newLink } from "#test/support/api-client.ts";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const path = "/api/v1/links/export";

test("every link that the list has is exported, oldest first, in either format", async () => {
  const { kurz, token } = await api.newCaller();
  const operations = Array.from({ length: 450 }, (_, index) => ({
    op: "create" as const,
    link: { destination_url: `https://example.com/${index}`, tags: index % 3 === 0 ? ["third"] : [] },
  }));
  await kurz.links.bulk(operations);
  const formula = await newLink(kurz, { title: "=1+1", metadata: { a: "b" }, notes: "two\nlines" });
  await kurz.links.archive(formula.id);
  for (const query of [
    {},
    { state: ["all" as const] },
    { tag: ["third"] },
    { q: "com/44" },
    { state: ["archived" as const] },
  ]) {
    const listed = [];
    for await (const link of kurz.links.all({ ...query, sort: "created_at", limit: 100 })) listed.push(link);
    const exported = [];
    for await (const link of kurz.links.export(query)) exported.push(link);
    expect(exported).toEqual(listed);
    const csv = await new Response(await kurz.links.exportCsv(query)).text();
    const lines = csv.split("\r\n").slice(1, -1);
    expect(lines.filter((line) => line.startsWith("lnk_")).map((line) => line.split(",", 1)[0])).toEqual(
      listed.map(({ id }) => id),
    );
  }
  const csv = await api.call({ path: `${path}?format=csv&state=archived`, token });
  expect(csv.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
  expect(csv.headers.get("Content-Disposition")).toBe('attachment; filename="links.csv"');
  expect(csv.text).toStartWith("id,short_url,destination_url,title,tags,state,blocked,expires_at,utm_source,");
  expect(csv.text).toContain(",'=1+1,");
  expect(csv.text).toContain('"{""a"":""b""}"');
});

test("an account without links has an empty export, and another's are never in it", async () => {
  const { token } = await api.newCaller();
  await newLink((await api.newCaller()).kurz);
  const ndjson = await api.call({ path: `${path}?state=all`, token });
  expect([ndjson.status, ndjson.headers.get("Content-Type"), ndjson.text]).toEqual([
    200,
    "application/x-ndjson; charset=utf-8",
    "",
  ]);
  expect((await api.call({ path: `${path}?format=csv`, token })).text.split("\r\n")).toHaveLength(2);
});

test("an iteration that ends early ends the request", async () => {
  const { kurz } = await api.newCaller();
  for (let round = 0; round < 3; round += 1) {
    await kurz.links.bulk(
      Array.from({ length: 1000 }, () => ({ op: "create", link: { destination_url: "https://example.com/" } })),
    );
  }
  for (let round = 0; round < 20; round += 1) {
    for await (const { id } of kurz.links.export()) {
      expect(id).toStartWith("lnk_");
      break;
    }
  }
  const stopped = new AbortController();
  const links = kurz.links.export({}, { signal: stopped.signal });
  await links.next();
  stopped.abort(new Error("enough"));
  await expect(Array.fromAsync(links)).rejects.toThrow("enough");
});
