import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { parseList } from "structured-headers";
import type { Endpoint } from "#contract/endpoint.ts";
import { releasedEndpoints } from "#contract/index.ts";
import { type Api, type ApiAnswer, type Caller, errorOf, outcomeOf, startApi } from "#test/support/api-client.ts";
import { goodRequest, newSubject } from "#test/support/good-request.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import { until } from "#test/support/until.ts";

const REQUEST_ID = /^req_[0-9a-hjkmnp-tv-z]{26}$/;
const LIMIT = 100_000;

let api: Api;
let owner: Caller;

beforeAll(async () => {
  api = await startApi({ KURZ_RATE_LIMIT_PER_MINUTE: String(LIMIT) });
  owner = await api.newCaller();
});
afterAll(() => api.stop());

const send = async (endpoint: Endpoint, headers: Readonly<Record<string, string>> = {}) =>
  api.call({ ...goodRequest(endpoint, (await newSubject(owner.kurz, endpoint)).id), token: owner.token, headers });

/** A good answer, and one for each kind of mistake in a request. */
async function everyKindOfAnswer(endpoint: Endpoint): Promise<ApiAnswer[]> {
  const { path, ...rest } = goodRequest(endpoint, (await newSubject(owner.kurz, endpoint)).id);
  const absent = goodRequest(endpoint, "lnk_absent");
  const noScope = await api.newCaller({ scopes: "qr:read" });
  return Promise.all([
    send(endpoint),
    api.call({ ...rest, path }),
    api.call({ ...rest, path, token: noScope.token }),
    api.call({ ...rest, path: `${path}?nonsense=1`, token: owner.token }),
    api.call({ ...rest, path, method: "PUT", token: owner.token }),
    ...(endpoint.params ? [api.call({ ...absent, token: owner.token })] : []),
    ...(endpoint.body
      ? [
          api.call({
            ...rest,
            path,
            token: owner.token,
            json: undefined,
            body: "{",
            headers: { "Content-Type": "text/x" },
          }),
        ]
      : []),
  ]);
}

describe.each(releasedEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "every answer from %s",
  (_, endpoint) => {
    test("has a request id from the server, the same as in the error", async () => {
      const answers = await everyKindOfAnswer(endpoint);
      const ids = answers.map(({ headers }) => headers.get("X-Request-Id") ?? "");
      for (const id of ids) expect(id).toMatch(REQUEST_ID);
      expect(new Set(ids).size).toBe(ids.length);
      for (const answer of answers.filter(({ status }) => status >= 400)) {
        expect(errorOf(answer).request_id).toBe(answer.headers.get("X-Request-Id") ?? "");
      }
    });

    test("may not be cached, unless it is an image, and declares its type", async () => {
      for (const { status, headers } of await everyKindOfAnswer(endpoint)) {
        const isImage = status === 200 && endpoint.binary !== undefined;
        expect(headers.get("Cache-Control")).toBe(isImage ? "private, max-age=3600" : "no-store");
        expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
        expect(headers.get("Content-Security-Policy")).toBe("default-src 'none'; frame-ancestors 'none'");
        expect(headers.get("Referrer-Policy")).toBe("same-origin");
        const isText = status === 200 && endpoint.response === undefined && endpoint.textTypes !== undefined;
        const textType = isText ? endpoint.textTypes?.[0] : "application/json";
        const file = status === 200 ? endpoint.downloads?.[0] : undefined;
        const type = file ?? (isImage ? "image/png" : `${textType}; charset=utf-8`);
        expect(headers.get("Content-Type")).toBe(status === 204 ? null : type);
        expect(
          [...headers.keys()].filter((name) => /^(access-control|set-cookie|server|x-powered|strict)/.test(name)),
        ).toEqual([]);
      }
    });

    test("has the rate limit headers if the token is valid", async () => {
      const beforeSeconds = Date.now() / 1000;
      for (const { status, headers } of await everyKindOfAnswer(endpoint)) {
        if (status === 401 || status === 405) {
          expect(headers.has("RateLimit")).toBe(false);
          continue;
        }
        const [policy] = parseList(headers.get("RateLimit-Policy") ?? "");
        expect(policy).toEqual([
          "default",
          new Map([
            ["q", LIMIT],
            ["w", 60],
          ]),
        ]);
        const [state] = parseList(headers.get("RateLimit") ?? "");
        const [name, parameters] = state ?? [];
        const { r, t } = Object.fromEntries((parameters as Map<string, number>) ?? []);
        expect(name).toBe("default");
        expect(r).toBeWithin(1, LIMIT);
        expect(t).toBeWithin(1, 62);
        expect(headers.get("X-RateLimit-Limit")).toBe(String(LIMIT));
        expect(headers.get("X-RateLimit-Remaining")).toBe(String(r));
        expect(Number(headers.get("X-RateLimit-Reset"))).toBeWithin(beforeSeconds, Date.now() / 1000 + 63);
      }
    });
  },
);

describe.each(releasedEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
  "%s",
  (_, endpoint) => {
    test("ignores headers in which a client claims to be a proxy or part of the service", async () => {
      const forged = "req_00000000000000000000000000";
      const answer = await send(endpoint, {
        "X-Request-Id": forged,
        "X-Kurz-Request-Id": forged,
        "X-Kurz-Client": "203.0.113.9",
        "X-Forwarded-For": "203.0.113.9",
        "X-Forwarded-Proto": "http",
        "X-Forwarded-Host": "evil.example",
        Forwarded: "for=203.0.113.9;proto=http;host=evil.example",
        "X-HTTP-Method-Override": "DELETE",
      });
      expect(answer.status).toBe(endpoint.status);
      expect(answer.headers.get("X-Request-Id")).toMatch(REQUEST_ID);
      expect(answer.headers.get("X-Request-Id")).not.toBe(forged);
      expect(`${answer.text}${answer.headers.get("Location")}${answer.headers.get("Link")}`).not.toContain("evil");
    });

    test("answers no other method, and lists those it supports", async () => {
      const here = releasedEndpoints.filter(({ path }) => path === endpoint.path).map(({ method }) => method);
      const allowed = here.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method]));
      const path = endpoint.path.replace(/\{\w+\}/, "lnk_any");
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        if (allowed.includes(method)) continue;
        const answer = await api.call({ method, path });
        expect(outcomeOf(answer)).toBe("405 method_not_allowed");
        expect(answer.headers.get("Allow")?.split(", ").toSorted()).toEqual(allowed.toSorted());
        expect((errorOf(answer).details as { allowed: string[] }).allowed.toSorted()).toEqual(allowed.toSorted());
      }
      if (!allowed.includes("HEAD")) {
        const head = await askOnce(api.server.port, { method: "HEAD", target: path });
        expect([head.status, head.text]).toEqual([405, ""]);
      }
    });

    test("refuses a target of more than 8 KiB, and one with a bad percent-encoding", async () => {
      const { method, path } = { method: endpoint.method, path: endpoint.path.replace(/\{\w+\}/, "lnk_any") };
      const target = (bytes: number) => `${path}?${"a".repeat(bytes - path.length - 1)}`;
      const { token } = owner;
      expect(outcomeOf(await api.raw({ method, target: target(8192), token }))).not.toStartWith("414");
      expect(outcomeOf(await api.raw({ method, target: target(8193), token }))).toBe("414 uri_too_long");
      expect(outcomeOf(await api.raw({ method, target: target(15_000), token }))).toBe("414 uri_too_long");
      for (const bad of ["%", "%2", "%zz", "%ff", "%c3%28", "%ed%a0%80"]) {
        expect(outcomeOf(await api.raw({ method, target: `${path}${bad}`, token }))).toBe("400 bad_request");
        if (!endpoint.body) {
          expect(outcomeOf(await api.raw({ method, target: `${path}?a=${bad}`, token }))).toBe("400 bad_request");
        }
      }
    });
  },
);

describe.each(
  releasedEndpoints.filter(({ method }) => method === "GET").map((endpoint) => [endpoint.path, endpoint] as const),
)("HEAD %s", (_, endpoint) => {
  const volatile = /^(date|x-request-id|ratelimit|x-ratelimit-.*)$/;
  const stable = ({ headers }: ApiAnswer) => Object.fromEntries([...headers].filter(([name]) => !volatile.test(name)));

  const withoutLength = ({ "content-length": _, ...rest }: Record<string, string>) => rest;

  test("answers like GET, without the body", async () => {
    const { kurz, token } = await api.newCaller();
    // A report ends now, so its compressed length may differ by a byte.
    const headers = { "Accept-Encoding": "identity" };
    const good = { ...goodRequest(endpoint, (await newSubject(kurz, endpoint)).id), headers };
    // The first use of a token shows in /me shortly after the answer.
    await until("the use is recorded", async () => (await kurz.me.get()).token.last_used_at !== null);
    for (const request of [
      { ...good, token },
      { ...good, token: "nonsense" },
      { ...good, path: `${good.path}?nonsense=1`, token },
    ]) {
      const get = await api.call({ ...request, method: "GET" });
      const head = await api.call({ ...request, method: "HEAD" });
      expect(head.status).toBe(get.status);
      expect(head.text).toBe("");
      // A body of unknown length may be sent either way.
      const { "transfer-encoding": _sent, ...got } = stable(get);
      const { "transfer-encoding": _announced, ...asked } = stable(head);
      expect(asked).toEqual("content-length" in asked ? got : withoutLength(got));
    }
  });

  test("leaves the connection usable", async () => {
    const { kurz, token } = await api.newCaller();
    const { path } = goodRequest(endpoint, (await newSubject(kurz, endpoint)).id);
    for (let count = 0; count < 5; count += 1) {
      expect((await api.call({ method: "HEAD", path, token })).status).toBe(200);
      expect((await api.call({ path, token })).status).toBe(200);
    }
  });
});

test("unknown paths below /api answer in the envelope, with or without a token", async () => {
  for (const path of [
    "/api",
    "/api/",
    "/api/v1",
    "/api/v1/",
    "/api/v2/me",
    "/api/v1/Me",
    "/api/v1/me/",
    "/api/v1/links/",
  ]) {
    for (const token of [owner.token, "nonsense"]) {
      expect([path, outcomeOf(await api.call({ path, token }))]).toEqual([path, "404 not_found"]);
    }
  }
});

test("TRACE is refused like any other method, and echoes nothing", async () => {
  const answer = await api.raw({ method: "TRACE", target: "/api/v1/me", headers: [["X-Secret", "s3cret"]] });
  expect(answer.text).not.toContain("s3cret");
  expect(outcomeOf(answer)).toBe("405 method_not_allowed");
});

test("an unknown method is refused like any other", async () => {
  for (const method of ["BREW", "M-SEARCH"]) {
    const answer = await api.raw({ method, target: "/api/v1/links", headers: [["Content-Length", "2"]], body: "{}" });
    expect([method, outcomeOf(answer)]).toEqual([method, "405 method_not_allowed"]);
    expect(answer.headers.get("Allow")).toBe("GET, HEAD, POST");
  }
});

test("malformed requests never reach a route: two framings, and headers beyond 16 KiB", async () => {
  const smuggled = await askOnce(api.server.port, {
    method: "POST",
    target: "/api/v1/links",
    headers: [
      ["Content-Length", "5"],
      ["Transfer-Encoding", "chunked"],
    ],
    body: "0\r\n\r\nGET /api/v1/me HTTP/1.1\r\n\r\n",
  });
  expect(smuggled.status).toBe(400);
  const large = await askOnce(api.server.port, {
    target: "/api/v1/me",
    headers: [["X-Large", "a".repeat(17_000)]],
  });
  expect(large.status).toBe(431);
});
