import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { CspEvaluator } from "csp_evaluator";
import { CspParser } from "csp_evaluator/dist/parser.js";
import { exportLinks } from "#contract/console/links.ts";
import { getState, signIn } from "#contract/console/session.ts";
import { updateUser } from "#contract/console/user.ts";
import { type ConsoleServer, OWNER_EMAIL, outcomeOf, PASSWORD, startConsole } from "#test/support/console-client.ts";

let console: ConsoleServer;
beforeAll(async () => {
  console = await startConsole();
});
afterAll(() => console.stop());

describe("a forged request", () => {
  const cases: readonly (readonly [string, Record<string, string>, string])[] = [
    ["from another site", { "sec-fetch-site": "cross-site" }, "403 cross_site"],
    ["from a sibling domain", { "sec-fetch-site": "same-site" }, "403 cross_site"],
    ["typed in by hand", { "sec-fetch-site": "none" }, "403 cross_site"],
    ["from another origin", { origin: "https://evil.example" }, "403 cross_site"],
    ["from a hidden origin", { origin: "null" }, "403 cross_site"],
    ["from another port", { origin: "http://localhost:1" }, "403 cross_site"],
    ["that says nothing", {}, "403 cross_site"],
    ["that lies in one header only", { "sec-fetch-site": "cross-site", origin: "<ours>" }, "403 cross_site"],
    ["from our own page", { "sec-fetch-site": "same-origin" }, "200"],
    ["from our own page in an old browser", { origin: "<ours>" }, "200"],
  ];

  test.each(cases)("%s", async (_, headers, outcome) => {
    const cookie = await console.owner.jar.getCookieString(console.url);
    const sent = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, value.replace("<ours>", console.url)]),
    );
    const response = await fetch(console.url + updateUser.path, {
      method: "PATCH",
      headers: { cookie, "content-type": "application/json", ...sent },
      body: JSON.stringify({ name: "Ada" }),
    });
    const text = await response.text();
    expect(response.ok ? String(response.status) : `${response.status} ${JSON.parse(text).error.code}`).toBe(outcome);
  });

  test("can't sign anyone in either", async () => {
    const guest = console.guest();
    const answer = await guest.call(signIn, {
      body: { email: OWNER_EMAIL, password: PASSWORD },
      headers: { "sec-fetch-site": "cross-site" },
    });
    expect(outcomeOf(answer)).toBe("403 cross_site");
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test("reading is allowed, but no other site may read the answer", async () => {
    const answer = await console.owner.call(getState, { headers: { "sec-fetch-site": "cross-site" } });
    expect(answer.status).toBe(200);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  });
});

describe("the page", () => {
  test("has a policy in which an evaluator finds no weakness", async () => {
    const response = await console.guest().request("GET", "/console");
    expect(response.headers.get("content-type")).toStartWith("text/html");
    const policy = response.headers.get("content-security-policy") ?? "";
    const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
    expect(findings.filter(({ severity }) => severity <= 30).map(({ description }) => description)).toEqual([]);
  });

  test("shows people a page for paths that answer its own calls with JSON", async () => {
    const guest = console.guest();
    const navigate = { "sec-fetch-mode": "navigate", accept: "text/html,*/*;q=0.8" };
    for (const [path, status, title] of [
      [exportLinks.path, 401, "You\u2019re signed out"],
      ["/console/api/nothing", 404, "There\u2019s nothing here"],
    ] as const) {
      const read = await guest.request("GET", path, { headers: navigate });
      expect([read.status, read.headers.get("content-type")]).toEqual([status, "text/html; charset=utf-8"]);
      expect(await read.text()).toContain(`<h1>${title}</h1>`);
      expect(read.headers.get("content-security-policy")).toContain("default-src 'none'");
      for (const headers of [{ accept: "*/*" }, { accept: "text/html", "sec-fetch-mode": "cors" }]) {
        const called = await guest.request("GET", path, { headers });
        expect([called.status, called.headers.get("content-type")]).toEqual([
          status,
          "application/json; charset=utf-8",
        ]);
      }
    }
  });

  test("is served at every console path, with assets cached for good", async () => {
    const guest = console.guest();
    const html = await (await guest.request("GET", "/console/a/acc_1/links?x=1")).text();
    expect(html).toBe(await (await guest.request("GET", "/console")).text());
    const script = /src="(\/console\/assets\/[^"]+)"/.exec(html)?.[1] ?? "";
    const asset = await guest.request("GET", script);
    expect([asset.status, asset.headers.get("cache-control")]).toEqual([200, "public, max-age=31536000, immutable"]);
    expect((await guest.request("GET", "/console/assets/none.js")).status).toBe(404);
    expect((await guest.request("POST", "/console")).status).toBe(405);
  });

  test("is where the root path leads", async () => {
    expect((await console.guest().request("GET", "/")).headers.get("location")).toBe("/console");
  });
});
