import { describe, expect, test } from "bun:test";
import { getAccountAnalytics } from "#contract/analytics.ts";
import { signUp } from "#contract/console/session.ts";
import { createLink, listLinks, pauseLink, updateLink } from "#contract/links.ts";
import { getLinkQr } from "#contract/qr.ts";
import { ApiError } from "#kernel/api-error.ts";
import { parseIfMatch } from "#kernel/precondition.ts";
import { readInput } from "./read-input.ts";
import { type Route, route } from "./route.ts";

const never = async (): Promise<never> => {
  throw new Error("not called");
};
const create = route(createLink, never);
const update = route(updateLink, never);
const list = route(listLinks, never);
const pause = route(pauseLink, never);
const qr = route(getLinkQr, never);
const join = route(signUp, never);
const report = route(getAccountAnalytics, never);

const post = (
  body: ConstructorParameters<typeof Response>[0],
  headers: Record<string, string> = { "content-type": "application/json" },
) => new Request("http://localhost/", { method: "POST", body, headers });

async function messagesOf(bound: Route<never>, request: Request, query = ""): Promise<string[]> {
  const error: unknown = await readInput(bound, request, { id: "lnk_x" }, query).catch((thrown: unknown) => thrown);
  const { errors } = (error as ApiError).details as { readonly errors: readonly { readonly message: string }[] };
  return errors.map(({ message }) => message);
}

async function problemOf(bound: Route, request: Request, query = ""): Promise<{ code: string; fields: string[] }> {
  try {
    await readInput(bound, request, { id: "lnk_x" }, query);
    return { code: "none", fields: [] };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const details = error.details as { errors?: { field: string; code: string }[] } | undefined;
    return { code: error.code, fields: (details?.errors ?? []).map(({ field, code }) => `${field}:${code}`) };
  }
}

describe("a body", () => {
  test.each([
    ['{"destination_url":1}', ["destination_url:type"]],
    ["{}", ["destination_url:required"]],
    ["[]", [":type"]],
    ["null", [":type"]],
    ['{"destination_url":"https://a.example","destinationUrl":"x"}', ["destinationUrl:unknown_field"]],
    ['{"destination_url":"https://a.example","utm":{"utm_x":"1"}}', ["utm.utm_x:unknown_field"]],
    ['{"destination_url":"https://a.example","title":""}', ["title:too_short"]],
    ['{"destination_url":"https://a.example","title":"  "}', ["title:too_short"]],
    ['{"destination_url":"https://a.example","title":"a\\u0007"}', ["title:invalid_format"]],
    ['{"destination_url":"https://a.example","slug":"-a"}', ["slug:invalid_format"]],
    ['{"destination_url":"https://a.example","expires_at":"tomorrow"}', ["expires_at:invalid_format"]],
    ['{"destination_url":"https://a.example","tags":["a",2]}', ["tags.1:type"]],
    ['{"destination_url":"https://a.example","__proto__":{"x":1}}', ["__proto__:unknown_field"]],
    ['{"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":[]}}}}}}}}', ["a.b.c.d.e.f.g.h:too_deep"]],
  ])("%s is refused for each field that is wrong", async (body, fields) => {
    expect(await problemOf(create, post(body))).toEqual({ code: "validation_failed", fields });
  });

  test("a title of 255 characters outside the basic plane fits, one more does not", async () => {
    const body = (count: number) => JSON.stringify({ destination_url: "https://a.example", title: "😀".repeat(count) });
    expect((await problemOf(create, post(body(255)))).code).toBe("none");
    expect((await problemOf(create, post(body(256)))).fields).toEqual(["title:too_long"]);
  });

  test.each([
    [{ destinationUrl: "x" }, 'Did you mean "destination_url"?'],
    [{ url: "x" }, 'Did you mean "destination_url"?'],
    [{ titel: "x" }, 'Did you mean "title"?'],
    [{ "expires-at": "x" }, 'Did you mean "expires_at"?'],
    [{ utm: { utm_sorce: "x" } }, 'Did you mean "utm_source"?'],
    [{ rules: [{ when: { countries: ["DE"] } }] }, 'Did you mean "country"?'],
    [{ rules: [{ split: [{ weigth: 1 }] }] }, 'Did you mean "weight"?'],
    [{ weather: "x" }, ""],
    [{ date: "x" }, ""],
    [{ time: "x" }, ""],
    [{ a: 1 }, ""],
    [{ ["x".repeat(5000)]: 1 }, ""],
    [{ constructor: 1 }, ""],
  ])("%j has an unknown field, and the one that was probably meant is named", async (fields, hint) => {
    const body = JSON.stringify({ destination_url: "https://a.example", ...fields });
    const unknown = (await messagesOf(create, post(body))).filter((message) => message.startsWith("There is no such"));
    expect(unknown).toEqual([`There is no such field. ${hint}`.trim()]);
  });

  test("so is a parameter", async () => {
    const messages = await messagesOf(list, new Request("http://localhost/"), "limt=1&weather=x&page=2&date=x");
    const none = "There is no such parameter.";
    expect(messages).toEqual([`${none} Did you mean "limit"?`, none, none, none]);
  });

  test("a field with the wrong format is explained in words, not as a pattern", async () => {
    const link = { destination_url: "https://a.example", slug: "-a", title: "a\u0007", expires_at: "tomorrow" };
    const user = { email: "ada", name: "Ada", password: "three small grey herons" };
    const messages = [
      ...(await messagesOf(create, post(JSON.stringify(link)))),
      ...(await messagesOf(join, post(JSON.stringify(user)))),
      ...(await messagesOf(qr, new Request("http://localhost/"), "color=red&background=1")),
    ];
    expect(messages).toHaveLength(6);
    for (const message of messages) expect(message).toMatch(/^Must [\w ,.:-]+\.$/);
  });

  test("allowed values of a filter and a flag are listed, including the empty string", async () => {
    const request = new Request("http://localhost/");
    expect(await messagesOf(report, request, "source=mail&include_bots=1")).toEqual([
      "Must be true or false.",
      "Must be one of: link, qr, (empty).",
    ]);
  });

  test("at most fifty problems are listed", async () => {
    const body = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`field${index}`, 1]));
    expect((await problemOf(create, post(JSON.stringify(body)))).fields).toHaveLength(50);
  });

  test.each([
    ["", "invalid_json"],
    ["{", "invalid_json"],
    ["\ufeff{}", "invalid_json"],
    ["{'a':1}", "invalid_json"],
  ])("%j is not JSON", async (body, code) => {
    expect((await problemOf(create, post(body))).code).toBe(code);
  });

  test("bytes that are not UTF-8 are not JSON", async () => {
    expect((await problemOf(create, post(new Uint8Array([0x22, 0xff, 0x22])))).code).toBe("invalid_json");
  });

  test.each([
    [{}, "unsupported_media_type"],
    [{ "content-type": "text/plain" }, "unsupported_media_type"],
    [{ "content-type": "application/json; charset=latin1" }, "unsupported_media_type"],
    [{ "content-type": "application/json", "content-encoding": "gzip" }, "unsupported_media_type"],
    [{ "content-type": 'application/JSON; charset="UTF-8"' }, "none"],
    [{ "content-type": "application/merge-patch+json" }, "unsupported_media_type"],
  ])("with %j", async (headers, code) => {
    const body = new TextEncoder().encode('{"destination_url":"https://a.example"}');
    expect((await problemOf(create, post(body, headers as Record<string, string>))).code).toBe(code);
  });

  test("a patch may be a merge patch, and read-only fields are reported differently from unknown ones", async () => {
    const headers = { "content-type": "application/merge-patch+json" };
    const body = '{"slug":"x","state":"paused","nonsense":1}';
    const fields = ["slug:read_only_field", "state:read_only_field", "nonsense:unknown_field"];
    expect(await problemOf(update, post(body, headers))).toEqual({ code: "validation_failed", fields });
  });

  test("65536 bytes are accepted, one more is too large, with or without a Content-Length", async () => {
    const body = (bytes: number) => `{"destination_url":"https://a.example"${" ".repeat(bytes - 39)}}`;
    expect((await problemOf(create, post(body(65_536)))).code).toBe("none");
    expect((await problemOf(create, post(body(65_537)))).code).toBe("payload_too_large");
    const stream = new Blob([body(65_537)]).stream();
    expect((await problemOf(create, post(stream))).code).toBe("payload_too_large");
  });

  test("an action needs no body, and accepts only an empty object", async () => {
    expect((await problemOf(pause, post(null, {}))).code).toBe("none");
    expect((await problemOf(pause, post("{}"))).code).toBe("none");
    expect((await problemOf(pause, post('{"a":1}'))).fields).toEqual(["a:unknown_field"]);
  });
});

describe("a query", () => {
  test.each([
    ["limit=0", ["limit:out_of_range"]],
    ["limit=101", ["limit:out_of_range"]],
    ["limit=1.5", ["limit:type"]],
    ["limit=", ["limit:type"]],
    ["limit=1&limit=2", ["limit:duplicate_parameter"]],
    ["Limit=5", ["Limit:unknown_field"]],
    ["limit=05", ["limit:type"]],
    ["limit=-0", ["limit:type"]],
    ["sort=slug", ["sort:not_in_enum"]],
    ["state=active&state=gone", ["state.1:not_in_enum"]],
    ["q=ab", ["q:too_short"]],
    ["expired=yes", ["expired:type"]],
    ["created_after=2026-01-01", ["created_after:invalid_format"]],
    ["__proto__=1", ["__proto__:unknown_field"]],
    ["page=2&q=x", ["page:unknown_field", "q:too_short"]],
  ])("%s is refused", async (query, fields) => {
    expect(await problemOf(list, new Request("http://localhost/"), query)).toEqual({
      code: "validation_failed",
      fields,
    });
  });

  test("values are converted to their type, and omitted ones get their defaults", async () => {
    const input = await readInput(list, new Request("http://localhost/"), {}, "limit=7&tag=a&tag=b+c&expired=false");
    const expected = { limit: 7, tag: ["a", "b c"], expired: false, sort: "-created_at", tag_mode: "all" };
    expect(input.query).toEqual(expected);
  });

  test("invalid percent-encoding is a bad request", async () => {
    expect((await problemOf(list, new Request("http://localhost/"), "q=%zz")).code).toBe("bad_request");
  });
});

describe("a key and a version", () => {
  test.each(["", " ", "a b", "ü", "x".repeat(256)])("the key %j is rejected", async (key) => {
    const request = post("{}", { "content-type": "application/json" });
    request.headers.set("idempotency-key", Buffer.from(key).toString("latin1"));
    expect((await problemOf(create, request)).code).toBe("invalid_idempotency_key");
  });

  test("the fingerprint ignores key order and white space", async () => {
    const keyed = async (body: string) => {
      const request = post(body);
      request.headers.set("idempotency-key", "k");
      return (await readInput(create, request, {}, "")).idempotency;
    };
    const one = await keyed('{"destination_url":"https://a.example","title":"t"}');
    expect(await keyed('{ "title": "t",\n"destination_url":"https://a.example" }')).toEqual(one);
    expect(await keyed('{"destination_url":"https://a.example"}')).not.toEqual(one);
  });

  test("If-Match is parsed as entity tags, skipping weak ones", () => {
    expect(parseIfMatch(null)).toBeNull();
    expect(parseIfMatch("*")).toBe("*");
    expect(parseIfMatch('"1", W/"2" ,"3"')).toEqual(["1", "3"]);
    expect(parseIfMatch("3")).toEqual([]);
  });
});
