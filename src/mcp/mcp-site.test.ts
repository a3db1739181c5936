import { expect, test } from "bun:test";
import { localRateWindows } from "#engines/coordination/rate-windows.ts";
import { systemClock } from "#kernel/clock.ts";
import { loadPlans } from "#plans/plan-catalogue.ts";
import { mcpSite } from "./mcp-site.ts";

const plan = loadPlans(null, "unlimited").of("unlimited");
const caller = { accountNo: 1, accountId: "acc_1", plan, hasNoDomains: true, actor: "token:t", via: "api" } as const;

/** The tools over an API that answers like this, and the bugs that were reported. */
function siteOver(api: (request: Request) => Promise<Response>) {
  const bugs: unknown[] = [];
  const site = mcpSite({
    api,
    tokens: {
      authenticate: async () => ({
        ...{ caller, tokenId: "t", countedAs: "t", scopes: ["links:read"], suspended: false, rateLimit: null },
      }),
      rateWindows: localRateWindows(60_000),
      clock: systemClock,
    },
    baseUrl: "https://s.example",
    cors: { allowedOrigins: [] },
    https: false,
    onDone: () => {},
    onBug: (_, error) => void bugs.push(error),
  });
  const call = async () => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const params = { name: "me_get", arguments: {} };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const response = await site(new Request("http://localhost/mcp", { method: "POST", headers, body }));
    return response.text();
  };
  return { call, bugs };
}

test.each<[string, () => Promise<Response>]>([
  ["the API throws", () => Promise.reject(new Error("no such table: secrets"))],
  [
    "the API's answer can't be read",
    async () => new Response("secrets", { headers: { "content-type": "application/json" } }),
  ],
])("if %s, that is reported as a bug, and the assistant doesn't learn what went wrong", async (_, answer) => {
  const { call, bugs } = siteOver(answer);
  const text = await call();
  expect(JSON.parse(text).result).toMatchObject({
    isError: true,
    structuredContent: { error: { code: "internal_error", message: "Something went wrong on our side." } },
  });
  expect(text).not.toContain("secrets");
  expect(bugs).toHaveLength(1);
});
