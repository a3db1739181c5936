import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { PNG } from "pngjs";
import { type Endpoint, scopesOf } from "#contract/endpoint.ts";
import { releasedEndpoints } from "#contract/index.ts";
import type { Link } from "#contract/link-record.ts";
import { scopes } from "#contract/scopes.ts";
import { type Api, type Caller, newLink, startApi } from "#test/support/api-client.ts";
import { goodBody, newSubject } from "#test/support/good-request.ts";
import { openTools, type ToolCalls, textOf } from "#test/support/mcp-client.ts";

const LIST_CHARACTERS_MAX = 110_000;

let api: Api;
let owner: Caller;
let tools: ToolCalls;

beforeAll(async () => {
  api = await startApi();
  owner = await api.newCaller();
  tools = await openTools(api.server.url, owner.token);
});
afterAll(async () => {
  await tools.client.close();
  await api.stop();
});

const nameOf = ({ id }: Pick<Endpoint, "id">): string => id.replaceAll(".", "_");
const leftOut = ["account.export", "links.export", "tokens.create", "tokens.list", "tokens.revoke"];
const offered = releasedEndpoints.filter(({ id }) => !leftOut.includes(id));

/** What an assistant would send for a request that the operation accepts. */
const goodArguments = (endpoint: Endpoint, id: string): Record<string, unknown> => ({
  ...Object.fromEntries(Object.keys(endpoint.params?.shape ?? {}).map((name) => [name, id])),
  ...(goodBody(endpoint) as object | undefined),
});

describe("every operation is a tool", () => {
  test("except files of any size, and tokens", async () => {
    const names = (await tools.list()).map(({ name }) => name);
    expect(names.toSorted()).toEqual(offered.map(nameOf).toSorted());
    expect(names.length).toBeLessThanOrEqual(60);
  });

  for (const endpoint of offered) {
    const { method, path, response, binary } = endpoint;
    test(`${nameOf(endpoint)} does what ${method} ${path} does`, async () => {
      const subject = await newSubject(owner.kurz, endpoint);
      const args = goodArguments(endpoint, subject.id);
      const tool = (await tools.list()).find(({ name }) => name === nameOf(endpoint));
      const ajv = addFormats(new Ajv2020({ strict: false }));
      expect(ajv.validate(tool?.inputSchema ?? false, args), ajv.errorsText()).toBe(true);

      const result = await tools.call(nameOf(endpoint), args);
      expect(result.isError, textOf(result)).toBeUndefined();
      if (binary) return expect(result.content).toMatchObject([{ type: "image", mimeType: "image/png" }]);
      if (!response) return expect(result.content).toEqual([{ type: "text", text: "Done." }]);
      expect(response.safeParse(result.structuredContent).error).toBeUndefined();
      expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    });
  }

  test("with arguments that say where they belong", async () => {
    const all = await tools.list();
    for (const { name, inputSchema } of all) {
      expect(JSON.stringify(inputSchema), name).not.toContain("$ref");
      expect(inputSchema).toMatchObject({ type: "object", additionalProperties: false });
    }
    const argumentsOf = (name: string) =>
      Object.keys(all.find((tool) => tool.name === name)?.inputSchema.properties ?? {});
    expect(argumentsOf("links_delete")).toEqual(["id", "permanent", "if_version"]);
    expect(argumentsOf("links_share")).toEqual([
      ...["id", "password", "expires_at", "min_visitors", "timezone", "idempotency_key"],
    ]);
    expect(all.find(({ name }) => name === "links_create")?.inputSchema.required).toEqual(["destination_url"]);
  });

  test("short enough for an assistant to read", async () => {
    const all = await tools.list();
    expect(JSON.stringify(all).length).toBeLessThan(LIST_CHARACTERS_MAX);
    expect(JSON.stringify(all)).not.toMatch(/`Link` header|Idempotency-Key|If-None-Match/);
  });
});

test("hints say what only reads, what takes something away, and what is safe to repeat", async () => {
  const all = await tools.list();
  const named = (hint: "readOnlyHint" | "destructiveHint" | "idempotentHint") =>
    all.filter(({ annotations }) => annotations?.[hint]).map(({ name }) => name);
  const reading = named("readOnlyHint");
  expect(reading).toContain("links_resolve");
  expect(reading).toEqual(offered.filter(({ method, id }) => method === "GET" || id === "links.resolve").map(nameOf));
  expect(named("destructiveHint").toSorted()).toEqual(
    [
      ...["domains_delete", "domains_update"],
      ...["links_archive", "links_bulk", "links_delete", "links_pause", "links_revert", "links_tags", "links_update"],
      ...["links_upsert", "shares_revoke", "tags_delete", "tags_update"],
      ...["webhooks_delete", "webhooks_disable", "webhooks_enable", "webhooks_rotate", "webhooks_update"],
    ].toSorted(),
  );
  expect(named("idempotentHint")).toEqual(
    offered.filter(({ method, id }) => method !== "POST" || id === "links.resolve").map(nameOf),
  );
});

describe("scopes", () => {
  for (const scope of scopes) {
    test(`a token with ${scope} alone sees what it can call, and is told what others need`, async () => {
      const token = await api.operator.newToken(owner.account, { scopes: scope });
      const some = await openTools(api.server.url, token);
      const allowed = offered.filter((endpoint) => scopesOf(endpoint).every((one) => one === scope));
      expect((await some.list()).map(({ name }) => name)).toEqual(allowed.map(nameOf));
      for (const endpoint of offered.filter((one) => !allowed.includes(one))) {
        const missing = scopesOf(endpoint).find((one) => one !== scope);
        const error = await some.fail(nameOf(endpoint), goodArguments(endpoint, "lnk_any"));
        expect(error).toMatchObject({ code: "insufficient_scope", message: `The token needs the ${missing} scope.` });
        expect(error.text).toContain(error.request_id);
      }
      await some.client.close();
    });
  }
});

test("clients of the revision without a handshake get the same", async () => {
  const before = api.server.output.stderr;
  const modern = await openTools(api.server.url, owner.token, "2026-07-28");
  expect(modern.client.getServerVersion()).toMatchObject({ name: "kurz" });
  expect((await modern.list()).map(({ name }) => name)).toEqual((await tools.list()).map(({ name }) => name));
  const { id } = await newLink(owner.kurz);
  expect((await modern.call("links_get", { id })).structuredContent).toMatchObject({ id });
  expect((await modern.fail("links_get", { id: "lnk_none" })).code).toBe("not_found");
  await expect(modern.call("no_such_tool")).rejects.toThrow('There is no tool "no_such_tool".');
  await modern.client.close();
  expect(api.server.output.stderr).toBe(before);
});

describe("results", () => {
  test("a QR code is an image, or its text as SVG", async () => {
    const { id } = await newLink(owner.kurz);
    const [image] = (await tools.call("links_qr", { id, size: 200 })).content;
    if (image?.type !== "image") throw new Error("no image");
    const { width, height } = PNG.sync.read(Buffer.from(image.data, "base64"));
    expect([width, height]).toEqual([200, 200]);
    expect(textOf(await tools.call("links_qr", { id, format: "svg" }))).toStartWith("<svg");
  });

  test("a report as CSV is text", async () => {
    const { id } = await newLink(owner.kurz);
    const result = await tools.call("links_analytics", { id, format: "csv" });
    expect(textOf(result)).toContain("clicks");
    expect(result.structuredContent).toBeUndefined();
  });

  test("a list goes on where the page before ended", async () => {
    const { kurz, token } = await api.newCaller();
    const own = await openTools(api.server.url, token);
    const made = [await newLink(kurz), await newLink(kurz), await newLink(kurz)].map(({ id }) => id);
    const seen: string[] = [];
    let cursor: string | null | undefined;
    do {
      const { structuredContent } = await own.call("links_list", { limit: 2, ...(cursor && { cursor }) });
      const page = structuredContent as { data: Link[]; next_cursor: string | null };
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.next_cursor;
    } while (cursor);
    expect(seen.toSorted()).toEqual(made.toSorted());
    await own.client.close();
  });

  test("a key repeats a creation, and a version guards a change", async () => {
    const args = { destination_url: "https://example.com/", idempotency_key: "call-1" };
    const ids = [await tools.call("links_create", args), await tools.call("links_create", args)].map(
      ({ structuredContent }) => (structuredContent as unknown as Link).id,
    );
    expect(new Set(ids).size).toBe(1);
    const changed = await tools.fail("links_create", { ...args, title: "Another" });
    expect(changed.code).toBe("idempotency_key_reused");

    const [id = ""] = ids;
    const old = await tools.fail("links_update", { id, title: "New", if_version: 7 });
    expect(old).toMatchObject({ code: "precondition_failed", details: { current_version: 1 } });
    const { structuredContent } = await tools.call("links_update", { id, title: "New", if_version: 1 });
    expect(structuredContent).toMatchObject({ title: "New", version: 2 });
  });

  test("what is wrong is said in the API's words, with the request's id", async () => {
    const error = await tools.fail("links_create", { destination_url: "nonsense", titel: "A title" });
    expect(error.code).toBe("validation_failed");
    expect(error.text).toContain(`(validation_failed, request ${error.request_id})`);
    const { errors } = error.details as { errors: { field: string; message: string }[] };
    expect(errors.map(({ field }) => field).toSorted()).toEqual(["destination_url", "titel"]);
    expect(error.text).toContain('Did you mean \\"title\\"?');
  });
});

describe("hostile arguments", () => {
  const ids = [".", "..", "%2e%2e", "../links", "a/b", "a?b", "a#b", "\0", "😀", "\ud800", "x".repeat(300), 7, {}, []];
  test.each(ids.map((id) => [id]))("the id %j leads nowhere", async (id) => {
    const result = await tools.call("links_get", { id });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/not_found|validation_failed/);
  });

  test.each([[undefined], [null], [""]])("an id that is %j is asked for", async (id) => {
    expect(await tools.fail("links_get", { id })).toMatchObject({
      code: "validation_failed",
      message: "id: This field is required.",
    });
  });

  test("nothing is taken for another operation or parameter", async () => {
    for (const [name, args] of [
      ["links_list", { limit: "1&state=all" }],
      ["links_list", { limit: { a: 1 } }],
      ["links_list", { "state=all&x": "1" }],
      ["links_list", { unknown: true }],
      ["links_create", { destination_url: ["https://example.com/"] }],
      ["links_create", { destination_url: "https://example.com/", id: "lnk_mine" }],
      ["links_update", { id: (await newLink(owner.kurz)).id, version: 9 }],
    ] as const) {
      expect((await tools.fail(name, args)).code, JSON.stringify(args)).toBe("validation_failed");
    }
  });

  test.each(["", "two words", "ä", "a\r\nx: y", "x".repeat(256)])("%j is no idempotency key", async (key) => {
    const error = await tools.fail("links_create", { destination_url: "https://example.com/", idempotency_key: key });
    expect(error.code).toBe("invalid_idempotency_key");
  });

  test("arguments that assistants leave out as null are left out", async () => {
    const { structuredContent } = await tools.call("links_list", { q: null, tag: null, limit: 1 });
    expect(structuredContent).toMatchObject({ data: [{}] });
  });

  test("there is no other tool", async () => {
    for (const name of ["tokens_create", "account_export", "links.create", "__proto__", ""]) {
      await expect(tools.call(name)).rejects.toThrow(`There is no tool "${name}".`);
    }
  });
});
