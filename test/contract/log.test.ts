import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, newLink, startApi } from "#test/support/api-client.ts";
import { tokenIdOf } from "#test/support/forged-token.ts";
import { until } from "#test/support/until.ts";

interface LogLine {
  readonly time: string;
  readonly request_id: string;
  readonly method: string;
  readonly route: string | null;
  readonly status: number;
  readonly ms: number;
  readonly account: string | null;
  readonly token: string | null;
  readonly client?: string;
}

const linesOf = ({ server }: Api): LogLine[] =>
  server.output.stdout
    .split("\n")
    // The text after the last line break may be half a line.
    .slice(0, -1)
    .map((line) => JSON.parse(line) as LogLine);

/** The log line of a request, once it is written. */
async function lineOf(api: Api, headers: Headers): Promise<LogLine> {
  const id = headers.get("X-Request-Id");
  const find = () => linesOf(api).filter(({ request_id }) => request_id === id);
  await until("the call is logged", () => find().length > 0);
  const [line, ...more] = find();
  expect(more).toEqual([]);
  return line as LogLine;
}

describe("the log", () => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi();
  });
  afterAll(() => api.stop());

  test("has one line per API call, with the request id of its answer", async () => {
    const { account, token, kurz } = await api.newCaller();
    const { id } = await newLink(kurz);
    for (const [call, expected] of [
      [
        { path: `/api/v1/links/${id}`, token },
        { method: "GET", route: "links.get", status: 200, account },
      ],
      [
        { path: "/api/v1/links?x=1", token },
        { method: "GET", route: "links.list", status: 422, account },
      ],
      [{ path: "/api/v1/me" }, { method: "GET", route: "me.get", status: 401, account: null }],
      [
        { path: "/api/v1/nothing", method: "POST" },
        { method: "POST", route: null, status: 404, account: null },
      ],
    ] as const) {
      const { headers } = await api.call(call);
      const line = await lineOf(api, headers);
      const holder = expected.account === null ? null : tokenIdOf(token);
      expect(line).toEqual({ ...expected, token: holder, time: line.time, request_id: line.request_id, ms: line.ms });
      expect(line.ms).toBeGreaterThan(0);
      expect(new Date(line.time).toISOString()).toBe(line.time);
    }
  });

  test("contains no client address, path, query or header, and can't be forged by one", async () => {
    const { token } = await api.newCaller();
    const mark = "mark-of-the-client";
    const answer = await api.call({
      path: `/api/v1/links?q=${mark}%0A%7B%22status%22%3A200%7D`,
      token,
      headers: {
        "User-Agent": `${mark} \\r\\n{"fake":true}`,
        Referer: `https://${mark}.example/`,
        "X-Forwarded-For": "203.0.113.7",
      },
    });
    await lineOf(api, answer.headers);
    const { stdout, stderr } = api.server.output;
    for (const text of [mark, "203.0.113.7", "fake"]) expect(stdout + stderr).not.toContain(text);
    // The server's own address is printed at the start, on standard error.
    expect(stdout).not.toContain("127.0.0.1");
  });
});

test("the operator can turn on client addresses in the log", async () => {
  const api = await startApi({ KURZ_LOG_CLIENT_IP: "on", KURZ_TRUST_PROXY: "1" });
  try {
    const direct = await api.call({ path: "/api/v1/me" });
    expect((await lineOf(api, direct.headers)).client).toBe("127.0.0.1");
    const proxied = await api.call({ path: "/api/v1/me", headers: { "X-Forwarded-For": "9.9.9.9, 203.0.113.7" } });
    expect((await lineOf(api, proxied.headers)).client).toBe("203.0.113.7");
  } finally {
    await api.stop();
  }
});
