import { afterEach, describe, expect, test } from "bun:test";
import { Kurz, type KurzOptions } from "./client.ts";
import { operations } from "./generated.ts";
import { KurzConnectionError, KurzError } from "./kurz-error.ts";

type Handler = (request: Request, call: number) => Response | Promise<Response>;

const servers: Bun.Server<undefined>[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.stop(true);
});

/** A service on loopback with scripted responses, and a client for it that records waits instead of waiting. */
function setUp(handler: Handler, options: Partial<KurzOptions> = {}) {
  const requests: { readonly method: string; readonly url: string; readonly headers: Headers }[] = [];
  const waits: number[] = [];
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: (request) => {
      const { method, url } = request;
      // Bun frees a request's headers once the response is sent.
      return handler(request, requests.push({ method, url, headers: new Headers(request.headers) }));
    },
  });
  servers.push(server);
  const kurz = new Kurz({
    baseUrl: `${server.url.origin}/`,
    token: "kurz_x_y",
    random: () => 1,
    sleep: async (ms) => void waits.push(ms),
    ...options,
  });
  return { kurz, requests, waits, server };
}

const link = { id: "lnk_1", title: "Spring sale", version: 3 };
const refuse = (status: number, code: string, details?: object, headers: Record<string, string> = {}) =>
  Response.json(
    { error: { code, message: "No.", request_id: "req_1", ...(details && { details }) } },
    { status, headers: { "X-Request-Id": "req_1", ...headers } },
  );

const failureOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  );

async function kurzErrorOf(call: Promise<unknown>): Promise<KurzError> {
  const error = await failureOf(call);
  if (error instanceof KurzError) return error;
  throw new Error(`not a KurzError: ${error}`);
}

test("every published operation has a method of the same name", () => {
  const { kurz } = setUp(() => Response.json({}));
  const groups = new Map<string, object>(Object.entries(kurz));
  const missing = Object.keys(operations).filter((id) => {
    const [group = "", method = ""] = id.split(".");
    return typeof Reflect.get(groups.get(group) ?? {}, method) !== "function";
  });
  expect(missing).toEqual([]);
});

test("a call sends the token, and its response has status, headers and request id", async () => {
  const { kurz, requests } = setUp(() =>
    Response.json(link, { headers: { ETag: '"3"', "X-Request-Id": "req_7", "Content-Type": "application/json" } }),
  );
  const answer = await kurz.request("links.get", { params: { id: "lnk_1" } });
  expect(requests[0]?.headers.get("Authorization")).toBe("Bearer kurz_x_y");
  expect(new URL(requests[0]?.url ?? "").pathname).toBe("/api/v1/links/lnk_1");
  expect(answer).toMatchObject({ status: 200, requestId: "req_7", data: link });
  expect(answer.headers.get("ETag")).toBe('"3"');
});

test("a deletion has no body", async () => {
  const { kurz, requests } = setUp(() => new Response(null, { status: 204 }));
  expect(await kurz.links.delete("lnk_1", { ifMatch: 3 })).toBeUndefined();
  expect(requests[0]?.method).toBe("DELETE");
  expect(requests[0]?.headers.get("If-Match")).toBe('"3"');
});

test("a report is an object, or text if requested", async () => {
  const { kurz, requests } = setUp(({ url }) =>
    url.includes("format=csv")
      ? new Response("country,clicks\r\nDE,1\r\n", { headers: { "Content-Type": "text/csv; charset=utf-8" } })
      : Response.json({ totals: { clicks: 1 } }),
  );
  expect((await kurz.analytics.get()).totals.clicks).toBe(1);
  const csv = await kurz.links.analytics("lnk_1", { format: "csv", group_by: ["country"], referrer: ["a", ""] });
  expect(csv).toBe("country,clicks\r\nDE,1\r\n");
  expect(requests[1]?.url).toEndWith("/links/lnk_1/analytics?format=csv&group_by=country&referrer=a&referrer=");
});

test("a proxy's error page is not mistaken for a report", async () => {
  const { kurz } = setUp(() => new Response("<p>Log in", { headers: { "Content-Type": "text/html" } }));
  expect((await kurzErrorOf(kurz.analytics.get({ format: "csv" }))).code).toBe("unexpected_answer");
});

describe("creating a link", () => {
  test("sends the same key and body on every attempt, and a new key for the next call", async () => {
    const bodies: string[] = [];
    const { kurz, requests } = setUp(async (request, call) => {
      bodies.push(await request.text());
      return call % 3 === 0 ? Response.json(link, { status: 201 }) : refuse(500, "internal_error");
    });
    await kurz.links.create({ destination_url: "https://example.com/a" });
    await kurz.links.create({ destination_url: "https://example.com/a" });
    const keys = requests.map(({ headers }) => headers.get("Idempotency-Key") ?? "none");
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    const [first = "", , , second = ""] = keys;
    expect(keys).toEqual([first, first, first, second, second, second]);
    expect(second).not.toBe(first);
    expect(new Set(bodies)).toEqual(new Set(['{"destination_url":"https://example.com/a"}']));
  });

  test("uses the caller's own key", async () => {
    const { kurz, requests } = setUp(() => Response.json(link, { status: 201 }));
    await kurz.links.create({ destination_url: "https://example.com/a" }, { idempotencyKey: "order-17" });
    expect(requests[0]?.headers.get("Idempotency-Key")).toBe("order-17");
  });

  test("waits for a first attempt that is still running", async () => {
    const { kurz, waits } = setUp((_, call) =>
      call === 1
        ? refuse(409, "idempotency_in_progress", undefined, { "Retry-After": "1" })
        : Response.json(link, { status: 201 }),
    );
    await kurz.links.create({ destination_url: "https://example.com/a" });
    expect(waits).toEqual([1000]);
  });
});

describe("retries", () => {
  test("wait as long as the service asks", async () => {
    const { kurz, waits } = setUp((_, call) =>
      call === 1 ? refuse(429, "rate_limited", {}, { "Retry-After": "7" }) : Response.json(link),
    );
    expect((await kurz.links.get("lnk_1")).id).toBe("lnk_1");
    expect(waits).toEqual([7000]);
  });

  test("end after the given number with the last error", async () => {
    const { kurz, requests, waits } = setUp(() => refuse(503, "unavailable"), { retriesMax: 3 });
    expect((await kurzErrorOf(kurz.me.get())).code).toBe("unavailable");
    expect(requests).toHaveLength(4);
    expect(waits).toEqual([500, 1000, 2000]);
  });

  test("do not repeat a patch that may have succeeded, unless it names a version", async () => {
    const { kurz, requests } = setUp((_, call) => (call < 3 ? refuse(500, "internal_error") : Response.json(link)));
    await kurzErrorOf(kurz.links.update("lnk_1", { title: "Summer sale" }));
    expect(requests).toHaveLength(1);
    await kurz.links.update("lnk_1", { title: "Summer sale" }, { ifMatch: 3 });
    expect(requests).toHaveLength(3);
  });

  test("repeat a patch that was rejected unread", async () => {
    const { kurz, requests } = setUp((_, call) =>
      call === 1 ? refuse(429, "rate_limited", {}, { "Retry-After": "1" }) : Response.json(link),
    );
    await kurz.links.update("lnk_1", { title: "Summer sale" });
    expect(requests).toHaveLength(2);
  });

  describe("of what makes a secret, or does its work once more each time", () => {
    const calls: Readonly<Record<string, (kurz: Kurz) => Promise<unknown>>> = {
      "tokens.create": (kurz) => kurz.tokens.create({ name: "CI", scopes: ["links:read"] }),
      "webhooks.create": (kurz) => kurz.webhooks.create({ url: "https://hooks.example/" }),
      "webhooks.rotate": (kurz) => kurz.webhooks.rotate("we_1"),
      "webhooks.test": (kurz) => kurz.webhooks.test("we_1"),
    };

    test("are those that the contract names", () => {
      const forbidden = Object.entries(operations).filter(([, { repeatable }]) => !repeatable);
      expect(forbidden.map(([id]) => id).toSorted()).toEqual(Object.keys(calls).toSorted());
    });

    test.each(Object.entries(calls))("don't happen after a lost response or an error: %s", async (_, call) => {
      let isLost = true;
      const losing: KurzOptions["fetch"] = async (url, init) => {
        const response = await fetch(url, init);
        if (isLost) throw new TypeError("connection reset");
        return response;
      };
      const { kurz, requests } = setUp(() => refuse(503, "unavailable"), { fetch: losing });
      expect(await failureOf(call(kurz))).toBeInstanceOf(KurzConnectionError);
      expect(requests).toHaveLength(1);
      isLost = false;
      expect((await kurzErrorOf(call(kurz))).code).toBe("unavailable");
      expect(requests).toHaveLength(2);
    });

    test.each(Object.entries(calls))("happen if the service refused it unread: %s", async (_, call) => {
      const { kurz, requests } = setUp((_request, number) =>
        number === 1 ? refuse(429, "rate_limited") : Response.json({ id: "we_1", delivery_id: "dlv_1" }),
      );
      await call(kurz);
      expect(requests).toHaveLength(2);
    });
  });

  test("find what a lost attempt has deleted gone, which is a success", async () => {
    const { kurz, requests } = setUp((_, call) => (call === 1 ? refuse(502, "unavailable") : refuse(404, "not_found")));
    await kurz.tokens.revoke("4fJq81ZkWx0B");
    expect(requests).toHaveLength(2);
    expect((await kurzErrorOf(kurz.webhooks.delete("we_1"))).code).toBe("not_found");
  });

  test("that find nothing are errors if no attempt can have deleted it", async () => {
    const { kurz } = setUp((_, call) => (call === 1 ? refuse(429, "rate_limited") : refuse(404, "not_found")));
    expect((await kurzErrorOf(kurz.tokens.revoke("4fJq81ZkWx0B"))).code).toBe("not_found");
  });

  test("cover an unreachable service", async () => {
    const { kurz, server, waits } = setUp(() => Response.json(link));
    await server.stop(true);
    const error = await failureOf(kurz.links.pause("lnk_1"));
    expect(error).toBeInstanceOf(KurzConnectionError);
    expect(error).toMatchObject({ reason: "network" });
    expect(waits).toEqual([500, 1000]);
  });

  test("stop when the caller aborts", async () => {
    const controller = new AbortController();
    const { kurz, requests } = setUp(() => refuse(503, "unavailable", undefined, { "Retry-After": "60" }), {
      sleep: undefined,
      fetch: async (url, init) => {
        const response = await fetch(url, init);
        setTimeout(() => controller.abort(new Error("enough")));
        return response;
      },
    });
    await expect(kurz.me.get({ signal: controller.signal })).rejects.toThrow("enough");
    expect(requests).toHaveLength(1);
  });
});

describe("errors", () => {
  test("have the service's message, and details by code", async () => {
    const { kurz } = setUp(() => refuse(403, "plan_limit", { feature: "active_links", limit: 25 }));
    const error = await kurzErrorOf(kurz.links.create({ destination_url: "https://example.com/a" }));
    expect(error).toMatchObject({ name: "KurzError", code: "plan_limit", status: 403, message: "No." });
    expect(error).toMatchObject({ requestId: "req_1", retryAfterSeconds: null });
    expect(error.is("plan_limit") && error.details.limit).toBe(25);
    expect(error.is("slug_taken")).toBe(false);
  });

  test("say when to retry", async () => {
    const { kurz } = setUp(() => refuse(429, "rate_limited", {}, { "Retry-After": "90" }));
    expect((await kurzErrorOf(kurz.me.get())).retryAfterSeconds).toBe(90);
  });

  test.each(["<h1>Bad gateway</h1>", "null", '{"error":"down"}', '{"error":{"code":7}}', ""])(
    "of a stranger on the way are told apart: %p",
    async (body) => {
      const { kurz, requests } = setUp(() => new Response(body, { status: 502 }));
      expect(await kurzErrorOf(kurz.me.get())).toMatchObject({ code: "unexpected_answer", status: 502 });
      expect(requests).toHaveLength(3);
    },
  );

  test("include a success that is not JSON", async () => {
    const { kurz, requests } = setUp(() => new Response("<h1>Welcome to the hotel network</h1>"));
    expect(await kurzErrorOf(kurz.me.get())).toMatchObject({ code: "unexpected_answer", status: 200 });
    expect(requests).toHaveLength(1);
  });
});

describe("time", () => {
  test("runs out for a service that does not respond", async () => {
    const { kurz } = setUp(() => new Promise<Response>(() => {}), { timeoutMs: 20, retriesMax: 0 });
    const error = await failureOf(kurz.me.get());
    expect(error).toBeInstanceOf(KurzConnectionError);
    expect(error).toMatchObject({ reason: "timeout", message: "no response within 20 ms" });
  });

  test("runs out for a response that never ends", async () => {
    const endless = () => new ReadableStream({ start: (stream) => stream.enqueue(new TextEncoder().encode('{"id":')) });
    let tries = 0;
    // Counted here: on a busy machine, the timeout may pass before an attempt reaches the service.
    const counted: KurzOptions["fetch"] = (url, init) => {
      tries += 1;
      return fetch(url, init);
    };
    const { kurz } = setUp(() => new Response(endless()), { timeoutMs: 100, retriesMax: 1, fetch: counted });
    expect(await failureOf(kurz.me.get())).toMatchObject({ reason: "timeout" });
    expect(tries).toBe(2);
  });

  test("a running call ends when the caller aborts", async () => {
    const controller = new AbortController();
    const { kurz, requests } = setUp(() => {
      controller.abort(new Error("enough"));
      return new Promise<Response>(() => {});
    });
    await expect(kurz.me.get({ signal: controller.signal })).rejects.toThrow("enough");
    await expect(kurz.me.get({ signal: controller.signal })).rejects.toThrow("enough");
    expect(requests).toHaveLength(1);
  });
});

test("a redirect is not followed, so the token is not sent elsewhere", async () => {
  const elsewhere = setUp(() => Response.json(link));
  const { kurz } = setUp(() => Response.redirect(new URL("/stolen", elsewhere.server.url).href), { retriesMax: 0 });
  expect(await failureOf(kurz.me.get())).toBeInstanceOf(KurzConnectionError);
  expect(elsewhere.requests).toHaveLength(0);
});

describe("all links", () => {
  const pages: Record<string, { data: string[]; next_cursor: string | null }> = {
    start: { data: ["lnk_1", "lnk_2"], next_cursor: "a" },
    a: { data: [], next_cursor: "b" },
    b: { data: ["lnk_3"], next_cursor: null },
  };
  const answerPage: Handler = (request) => {
    const { data = [], next_cursor = null } = pages[new URL(request.url).searchParams.get("cursor") ?? "start"] ?? {};
    return Response.json({ data: data.map((id) => ({ id })), has_more: next_cursor !== null, next_cursor });
  };

  test("are fetched page by page with the same filters, past an empty page, to the last", async () => {
    const { kurz, requests } = setUp(answerPage);
    const found = await Array.fromAsync(kurz.links.all({ tag: ["spring"], limit: 2 }), ({ id }) => id);
    expect(found).toEqual(["lnk_1", "lnk_2", "lnk_3"]);
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([
      "?tag=spring&limit=2",
      "?tag=spring&limit=2&cursor=a",
      "?tag=spring&limit=2&cursor=b",
    ]);
  });

  test("are fetched only as far as they are read", async () => {
    const { kurz, requests } = setUp(answerPage);
    for await (const { id } of kurz.links.all()) {
      if (id === "lnk_2") break;
    }
    expect(requests).toHaveLength(1);
  });
});
