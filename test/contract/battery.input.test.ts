import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { accountDimensions } from "#contract/analytics.ts";
import { type Endpoint, mediaTypesOf } from "#contract/endpoint.ts";
import { releasedEndpoints } from "#contract/index.ts";
import {
  type Api,
  type Call,
  type Caller,
  errorOf,
  fieldErrorsOf,
  joinApi,
  outcomeOf,
} from "#test/support/api-client.ts";
import { goodBody, goodRequest, newSubject } from "#test/support/good-request.ts";
import { chunked } from "#test/support/raw-message.ts";

const BODY_BYTES_MAX = 65_536;
const DEPTH_MAX = 8;

let api: Api;
let owner: Caller;

beforeAll(async () => {
  api = await joinApi();
  owner = await api.newCaller();
});
afterAll(() => api.stop());

/** A good request for a new link, with some of it replaced. */
async function send(endpoint: Endpoint, change: Partial<Call>, query = "") {
  const { id, path: own, version } = await newSubject(owner.kurz, endpoint);
  const { json, ...request } = goodRequest(endpoint, id);
  const content = "body" in change || "json" in change ? {} : { json };
  const answer = await api.call({ ...request, path: request.path + query, token: owner.token, ...content, ...change });
  return { answer, own, version };
}

const jsonType = { "Content-Type": "application/json" };
/** The parameters that may be repeated; every other one may not. */
const lists: ReadonlySet<string> = new Set(["state", "fields", "group_by", ...accountDimensions]);
/** A list elsewhere. */
const single: ReadonlySet<string> = new Set(["links.list domain", "links.count domain", "links.export domain"]);
const isList = ({ id }: Endpoint, name: string): boolean => lists.has(name) && !single.has(`${id} ${name}`);
const withBody = releasedEndpoints.filter(({ body }) => body);

describe.each(releasedEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "the query of %s",
  (_, endpoint) => {
    test("may have no unknown parameter", async () => {
      for (const [query, fields] of [
        ["?colour=red", ["query colour unknown_field"]],
        ["?token=x&access_token=y", ["query access_token unknown_field", "query token unknown_field"]],
        ["?__proto__=1&constructor=2", ["query __proto__ unknown_field", "query constructor unknown_field"]],
        ["?Limit=1", ["query Limit unknown_field"]],
        ["?colour", ["query colour unknown_field"]],
      ] as const) {
        const { answer, version } = await send(endpoint, {}, query);
        expect(fieldErrorsOf(errorOf(answer))).toEqual([...fields]);
        if (endpoint.method !== "GET") expect(await version()).toBe(1);
      }
    });

    test("may be empty", async () => {
      expect((await send(endpoint, {}, "?")).answer.status).toBe(endpoint.status);
    });

    test("may repeat a parameter only if it is a list", async () => {
      const sample: Readonly<Record<string, string>> = {
        limit: "5",
        sort: "created_at",
        expired: "true",
        group_by: "country",
        fields: "id",
        country: "DE",
        device: "mobile",
        source: "qr",
      };
      for (const name of Object.keys(endpoint.query?.shape ?? {})) {
        const value = sample[name] ?? "active";
        const { answer } = await send(endpoint, {}, `?${name}=${value}&${name}=${value}`);
        if (isList(endpoint, name)) expect(answer.status).toBe(200);
        else expect(fieldErrorsOf(errorOf(answer))).toContain(`query ${name} duplicate_parameter`);
      }
    });
  },
);

describe.each(withBody.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "the body of %s",
  (_, endpoint) => {
    const accepted = mediaTypesOf(endpoint);
    const { bodyBytesMax = BODY_BYTES_MAX, bodyDepthAdded = 0 } = endpoint;
    const depthMax = DEPTH_MAX + bodyDepthAdded;

    test("may have no unknown field", async () => {
      for (const field of ["destinationUrl", "account_id", "utm_source", ""]) {
        const { answer, version } = await send(endpoint, { json: { [field]: "x" } });
        expect(fieldErrorsOf(errorOf(answer))).toContain(`body ${field} unknown_field`);
        expect(await version()).toBe(1);
      }
    });

    test("reaches no prototype", async () => {
      const good = JSON.stringify(endpoint.examples?.body ?? {}).slice(1, -1);
      const rest = good === "" ? "" : `,${good}`;
      for (const member of ["__proto__", "constructor", "prototype", "toString", "hasOwnProperty"]) {
        const body = `{"${member}":{"polluted":"yes","toJSON":null}${rest}}`;
        const { answer, own } = await send(endpoint, { body, headers: jsonType });
        expect(fieldErrorsOf(errorOf(answer))).toEqual([`body ${member} unknown_field`]);
        const after = await api.call({ path: own, token: owner.token });
        expect(after.status).toBe(200);
        expect(after.text).not.toContain("polluted");
      }
      expect("polluted" in {}).toBe(false);
    });

    test("must be JSON in UTF-8 without a byte order mark", async () => {
      const bytes = (...parts: (string | number)[]) =>
        new Uint8Array(parts.flatMap((part) => (typeof part === "number" ? [part] : [...Buffer.from(part)])));
      const bodies = [
        "{",
        "{'a':1}",
        '{"title":"a",}',
        "{}{}",
        "undefined",
        "NaN",
        "// note\n{}",
        " ",
        '{"title":"a\tb"}',
        bytes(0xef, 0xbb, 0xbf, "{}"),
        bytes('{"title":"', 0xff, '"}'),
        bytes('{"title":"', 0xc0, 0xaf, '"}'),
        bytes('{"title":"', 0xed, 0xa0, 0x80, '"}'),
        new Uint8Array(Buffer.from('{"title":"a"}', "utf16le")),
      ];
      for (const body of bodies) {
        const { answer } = await send(endpoint, { body, headers: jsonType });
        expect([body, outcomeOf(answer)]).toEqual([body, "400 invalid_json"]);
      }
    });

    test("must be an object", async () => {
      for (const body of ["null", "[]", '"text"', "1", "true"]) {
        const { answer } = await send(endpoint, { body, headers: jsonType });
        expect([body, fieldErrorsOf(errorOf(answer))]).toEqual([body, ["body  type"]]);
      }
    });

    test(endpoint.bodyOptional ? "may be empty" : "may not be empty", async () => {
      const { id } = await newSubject(owner.kurz, endpoint);
      const request = { method: endpoint.method, target: endpoint.path.replace(/\{\w+\}/, id), token: owner.token };
      const type = ["Content-Type", "application/json"] as const;
      const expected = endpoint.bodyOptional ? String(endpoint.status) : "400 invalid_json";
      for (const given of [
        { headers: [type] },
        { headers: [type, ["Content-Length", "0"] as const] },
        { headers: [type, ["Transfer-Encoding", "chunked"] as const], body: chunked("") },
      ]) {
        expect(outcomeOf(await api.raw({ ...request, ...given }))).toBe(expected);
      }
    });

    test("must have a supported media type, in UTF-8 and not compressed", async () => {
      const body = () => JSON.stringify(goodBody(endpoint) ?? {});
      const refused: Readonly<Record<string, string>>[] = [
        { "Content-Type": "text/plain" },
        { "Content-Type": "application/x-www-form-urlencoded" },
        { "Content-Type": "multipart/form-data; boundary=x" },
        { "Content-Type": "application/json-patch+json" },
        { "Content-Type": "application/jsonp" },
        { "Content-Type": "json" },
        { "Content-Type": "application/json; charset=utf-16" },
        { "Content-Type": "application/json; charset=iso-8859-1" },
        { ...jsonType, "Content-Encoding": "gzip" },
        { ...jsonType, "Content-Encoding": "br, gzip" },
      ];
      if (!accepted.includes("application/merge-patch+json")) {
        refused.push({ "Content-Type": "application/merge-patch+json" });
      }
      for (const headers of refused) {
        const { answer } = await send(endpoint, { body: body(), headers });
        expect([headers, outcomeOf(answer)]).toEqual([headers, "415 unsupported_media_type"]);
        expect(errorOf(answer).details).toEqual({ accepted: [...accepted] });
      }
      for (const type of accepted) {
        for (const header of [type, `${type}; charset=utf-8`, `${type};charset="UTF-8"`, type.toUpperCase()]) {
          const { answer } = await send(endpoint, { body: body(), headers: { "Content-Type": header } });
          expect([header, answer.status]).toEqual([header, endpoint.status]);
        }
      }
    });

    test("must have a media type", async () => {
      const { id } = await newSubject(owner.kurz, endpoint);
      const target = endpoint.path.replace(/\{\w+\}/, id);
      const answer = await api.raw({ method: endpoint.method, target, token: owner.token, body: "{}" });
      expect(outcomeOf(answer)).toBe("415 unsupported_media_type");
    });

    test(`may have ${bodyBytesMax / 1024} KiB and not a byte more, whether or not its length is declared`, async () => {
      const { id } = await newSubject(owner.kurz, endpoint);
      const request = { method: endpoint.method, target: endpoint.path.replace(/\{\w+\}/, id), token: owner.token };
      const type = ["Content-Type", "application/json"] as const;
      const chunkedType = [type, ["Transfer-Encoding", "chunked"] as const];
      const bodyOf = (bytes: number) => `{"x":"${"a".repeat(bytes - 8)}"}`;

      const largest = bodyOf(bodyBytesMax);
      expect(largest.length).toBe(bodyBytesMax);
      for (const given of [
        { headers: [type], body: largest },
        { headers: chunkedType, body: chunked(largest) },
      ]) {
        expect(fieldErrorsOf(errorOf(await api.raw({ ...request, ...given })))).toContain("body x unknown_field");
      }

      const tooLarge = bodyOf(bodyBytesMax + 1);
      for (const given of [
        { headers: [type], body: tooLarge },
        { headers: chunkedType, body: chunked(tooLarge) },
        { headers: chunkedType, body: chunked("a".repeat(bodyBytesMax + 500_000)) },
        // The declared length decides: such a body isn't waited for.
        { headers: [type, ["Content-Length", String(bodyBytesMax + 900_000)] as const], body: "{" },
      ]) {
        const answer = await api.raw({ ...request, ...given });
        expect(outcomeOf(answer)).toBe("413 payload_too_large");
        expect(errorOf(answer).details).toEqual({ limit_bytes: bodyBytesMax });
      }
    });

    test(`may be nested ${depthMax} levels deep`, async () => {
      const nested = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${"}".repeat(levels - 1)}`;
      const deepest = await send(endpoint, { body: nested(depthMax), headers: jsonType });
      expect(fieldErrorsOf(errorOf(deepest.answer))).toContain("body a unknown_field");
      for (const body of [
        nested(depthMax + 1),
        nested(10_000),
        `{"tags":${"[".repeat(30_000)}${"]".repeat(30_000)}}`,
      ]) {
        const { answer } = await send(endpoint, { body, headers: jsonType });
        const codes = fieldErrorsOf(errorOf(answer)).map((line) => line.split(" ").at(-1));
        expect(codes).toEqual(["too_deep"]);
      }
    });
  },
);

describe.each(
  withBody.filter(({ bodyOptional }) => bodyOptional).map((endpoint) => [endpoint.path, endpoint] as const),
)("POST %s with no body", (_, endpoint) => {
  test.each([
    ["and no length", []],
    ["and a length of 0", [["Content-Length", "0"]]],
    ["in no chunks", [["Transfer-Encoding", "chunked"]]],
  ] as const)("%s requires no media type", async (_, headers) => {
    const { id } = await newSubject(owner.kurz, endpoint);
    const target = endpoint.path.replace(/\{\w+\}/, id);
    const body = headers[0]?.[0] === "Transfer-Encoding" ? chunked("") : "";
    expect(outcomeOf(await api.raw({ method: "POST", target, token: owner.token, headers, body }))).toBe(
      String(endpoint.status),
    );
  });
});
