import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LinkOperation } from "#sdk/generated.ts";
import { type Api, errorFrom, errorOf, fieldErrorsOf, joinApi, newLink, outcomeOf } from "#test/support/api-client.ts";

const path = "/api/v1/links/bulk";
const create: LinkOperation = { op: "create", link: { destination_url: "https://example.com/" } };
const creates = (count: number): LinkOperation[] => Array.from({ length: count }, () => create);

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const open = async (slug: string): Promise<number> =>
  (await fetch(`${api.server.url}/${slug}`, { redirect: "manual" })).status;

describe("many operations at once", () => {
  test("each have the result of a request of their own, and visitors see them at once", async () => {
    const { kurz } = await api.newCaller();
    const [one, two, three] = [await newLink(kurz), await newLink(kurz), await newLink(kurz)];
    for (const { slug } of [one, two, three]) expect(await open(slug)).toBe(302);
    const { results, succeeded, failed } = await kurz.links.bulk([
      { op: "create", link: { destination_url: "https://example.com/new", slug: "bulk-new" } },
      { op: "create", link: { destination_url: "https://example.com/new", slug: "BULK-new" } },
      { op: "update", id: one.id, link: { title: "Updated" }, if_version: 1 },
      { op: "update", id: one.id, link: { title: "Again" }, if_version: 1 },
      { op: "pause", id: two.id },
      { op: "archive", id: two.id },
      { op: "resume", id: two.id },
      { op: "delete", id: three.id },
      { op: "delete", id: "lnk_absent", permanent: true },
      { op: "create", link: { destination_url: "not a URL", titel: "x" } as never },
    ]);
    expect(results.map(({ status, error }) => (error ? `${status} ${error.code}` : `${status}`))).toEqual([
      "201",
      "409 slug_taken",
      "200",
      "412 precondition_failed",
      "200",
      "200",
      "409 invalid_state",
      "204",
      "404 not_found",
      "422 validation_failed",
    ]);
    expect([succeeded, failed]).toEqual([5, 5]);
    expect(results[1]?.error).toMatchObject({
      message: expect.stringContaining("bulk-new"),
      details: { slug: "bulk-new" },
    });
    expect(results[3]?.error?.message).toBe("if_version is not the current version, which is 2.");
    expect(fieldErrorsOf(results[9]?.error as never)).toEqual([
      "body destination_url invalid_url",
      "body titel unknown_field",
    ]);
    expect(results[2]?.link).toEqual(await kurz.links.get(one.id));
    expect(results[7]).toEqual({ status: 204, link: null, error: null });
    expect(await Promise.all(["bulk-new", two.slug, three.slug].map(open))).toEqual([302, 410, 410]);
  });

  test("an operation that makes no sense is told what it lacks", async () => {
    const { kurz } = await api.newCaller();
    const { results } = await kurz.links.bulk([
      {},
      { op: "explode" },
      { op: "update" },
      { op: "pause", id: 1 },
      null,
      [],
    ] as never);
    expect(results.map(({ error }) => fieldErrorsOf(error as never))).toEqual([
      ["body op not_in_enum"],
      ["body op not_in_enum"],
      ["body id required", "body link required"],
      ["body id type"],
      ["body  type"],
      ["body  type"],
    ]);
  });

  test("stop at the plan's limit exactly", async () => {
    const { kurz } = await api.newCaller({ plan: "single" });
    const { results } = await kurz.links.bulk(creates(3));
    expect(results.map(({ status, error }) => [status, error?.code])).toEqual([
      [201, undefined],
      [403, "plan_limit"],
      [403, "plan_limit"],
    ]);
    const error = await errorFrom(kurz.links.bulk([...creates(1)], { atomic: true }), "operation_failed");
    expect(error.details).toMatchObject({ index: 0, status: 403, error: { code: "plan_limit" } });
  });

  test("all or nothing: nothing happens if one fails, and the error says which", async () => {
    const { kurz } = await api.newCaller();
    const operations: LinkOperation[] = [...creates(60), { op: "pause", id: "lnk_absent" }, create];
    const { details } = await errorFrom(kurz.links.bulk(operations, { atomic: true }), "operation_failed");
    const error = { code: "not_found", message: "There is no such object in this account." };
    expect(details).toEqual({ index: 60, status: 404, error });
    expect((await kurz.links.count({ state: ["all"] })).count).toBe(0);
    expect(await kurz.links.bulk(creates(60), { atomic: true })).toMatchObject({ succeeded: 60, failed: 0 });
  });

  test("are repeated byte by byte with the same key, and refused with another body", async () => {
    const { kurz, token } = await api.newCaller();
    for (const [key, atomic] of [
      ["each", false],
      ["atomic", true],
    ] as const) {
      const operations = atomic ? creates(120) : [...creates(119), { op: "pause", id: "lnk_absent" }];
      const call = { method: "POST", path, token, headers: { "Idempotency-Key": key }, json: { operations, atomic } };
      const [first, again] = [await api.call(call), await api.call(call)];
      expect([first.status, first.headers.get("Idempotent-Replayed")]).toEqual([200, null]);
      expect([again.status, again.headers.get("Idempotent-Replayed")]).toEqual([200, "true"]);
      expect(again.text).toBe(first.text);
      const bad: unknown[] = [{ op: "pause", id: "lnk_absent" }];
      for (const otherwise of [atomic, !atomic]) {
        for (const others of [creates(1), bad, operations.slice(1)]) {
          const other = await api.call({ ...call, json: { operations: others, atomic: otherwise } });
          expect(outcomeOf(other)).toBe("422 idempotency_key_reused");
        }
      }
    }
    expect((await kurz.links.count()).count).toBe(239);
  });

  test("count as one request and one more for every 50 operations", async () => {
    const { token } = await api.newCaller({ rateLimit: 30 });
    const send = async (count: number) =>
      api.call({ method: "POST", path, token, json: { operations: creates(count).map(() => ({ op: "none" })) } });
    const left = ({ headers }: { headers: Headers }) => Number(headers.get("X-RateLimit-Remaining"));
    expect(left(await send(49))).toBe(29);
    expect(left(await send(50))).toBe(27);
    expect(left(await send(1000))).toBe(6);
    const refused = await send(400);
    expect(outcomeOf(refused)).toBe("429 rate_limited");
    expect(Number(refused.headers.get("Retry-After"))).toBeWithin(1, 62);
    expect(left(refused)).toBe(5);
    // More than the limit needs a whole window.
    const small = await api.newCaller({ rateLimit: 5 });
    const whole = { method: "POST", path, token: small.token, json: { operations: creates(1000).map(() => ({})) } };
    expect((await api.call(whole)).status).toBe(200);
    expect(outcomeOf(await api.call(whole))).toBe("429 rate_limited");
  });

  test("have their limits: operations, bytes, passwords", async () => {
    const { kurz, token } = await api.newCaller();
    for (const [operations, field] of [
      [[], "body operations too_short"],
      [creates(1001), "body operations too_long"],
      [
        Array.from({ length: 101 }, () => ({
          op: "create",
          link: { destination_url: "https://a.example/", password: "x" },
        })),
        "body operations too_long",
      ],
    ] as const) {
      const error = await errorFrom(kurz.links.bulk(operations as never), "validation_failed");
      expect(fieldErrorsOf(error)).toEqual([field]);
    }
    const long = { op: "create", link: { destination_url: `https://example.com/${"a".repeat(4000)}` } };
    const large = await api.call({ method: "POST", path, token, json: { operations: Array(1000).fill(long) } });
    expect([large.status, (large.json as { succeeded: number }).succeeded]).toEqual([200, 1000]);
    const body = JSON.stringify({ operations: Array(1000).fill({ ...long, x: "a".repeat(200) }) });
    const tooLarge = await api.call({
      method: "POST",
      path,
      token,
      body,
      headers: { "Content-Type": "application/json" },
    });
    expect(errorOf(tooLarge)).toMatchObject({ code: "payload_too_large", details: { limit_bytes: 4_194_304 } });
    const deep = { op: "create", link: { destination_url: "https://a.example/", rules: [[[[[[[[1]]]]]]]] } };
    const { results } = await kurz.links.bulk([deep as never]);
    expect(fieldErrorsOf(results[0]?.error as never)).toEqual(["body rules.0.0.0.0.0.0.0 too_deep"]);
  });
});
