import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createLink } from "#contract/links.ts";
import { SHARE_ACCESS_HEADER, sharedDimensions, sharePageOperations } from "#contract/share-page.ts";
import { type Share, shareLink } from "#contract/shares.ts";
import { changeRecords } from "#test/support/change-records.ts";
import { leavePastClicks } from "#test/support/past-clicks.ts";
import { daysAgo, type ReportServer, startWithClicks } from "#test/support/report-clicks.ts";
import { until } from "#test/support/until.ts";

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly json: unknown;
}

let site: ReportServer;
let open: Share;
beforeAll(async () => {
  site = await startWithClicks();
  open = await share({});
});
afterAll(() => site.stop());

const share = (body: object, id = site.sale.id): Promise<Share> => site.owner.do(shareLink, { params: { id }, body });

/** As a browser without a session would. */
async function get(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, { redirect: "manual", ...init });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : undefined };
}

const codeOf = ({ json }: Answer): string => (json as { readonly error: { readonly code: string } }).error.code;

const enter = (url: string, password: string, headers: Record<string, string> = { "sec-fetch-site": "same-origin" }) =>
  get(`${url}/open`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ password }),
  });

const everything = `week_hours=true&limit=100&${sharedDimensions.map((name) => `group_by=${name}`).join("&")}`;

/** The paths of all values, with `[]` for items of lists and `*` for the names of breakdowns. */
function pathsOf(value: unknown, path = ""): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => pathsOf(item, `${path}[]`));
  if (typeof value !== "object" || value === null) return [path];
  return Object.entries(value).flatMap(([name, item]) =>
    pathsOf(item, path === "" ? name : `${path}.${path === "breakdowns" ? "*" : name}`),
  );
}

const docs = readFileSync(join(import.meta.dir, "..", "..", "docs", "sharing.md"), "utf8");

/** What the docs list for an address: the names in the first column of its table. */
function documented(operation: string): string[] {
  const [, after = ""] = docs.split(`\`${operation}\``);
  const table = after.slice(after.indexOf("|---|---|\n") + 10).split("\n\n")[0] ?? "";
  return table
    .split("\n")
    .flatMap((row) => [...(row.split("|")[1] ?? "").matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name));
}

describe("what a stranger sees is what the docs list:", () => {
  const seen = async (url: string, init?: RequestInit): Promise<string[]> => {
    const { status, json } = await get(url, init);
    expect(status).toBe(200);
    return [...new Set(pathsOf(json))].sort();
  };

  test("the docs know all addresses", () => {
    const named = [...docs.matchAll(/`((?:GET|POST) \/share\/\{token\}\/\w+)`/g)].map(([, name]) => name);
    expect(named.sort()).toEqual(sharePageOperations.map(({ method, path }) => `${method} ${path}`).sort());
  });

  test("of the link", async () => {
    expect(await seen(`${open.url}/link`)).toEqual(documented("GET /share/{token}/link").sort());
  });

  test("of the report", async () => {
    expect(await seen(`${open.url}/report?${everything}`)).toEqual(documented("GET /share/{token}/report").sort());
  });

  test("after entering the password", async () => {
    const { url } = await share({ password: "tulip" });
    const { json } = await enter(url, "tulip");
    expect(pathsOf(json)).toEqual(documented("POST /share/{token}/open"));
  });

  test("by these dimensions", async () => {
    const { json } = await get(`${open.url}/report?${everything}`);
    const { breakdowns } = json as { readonly breakdowns: object };
    expect(Object.keys(breakdowns).sort()).toEqual([...sharedDimensions].sort());
    for (const name of sharedDimensions) expect(docs).toMatch(new RegExp(`\\b${name}\\b`));
  });

  test("and nothing of it names the account, the link's id or its tags", async () => {
    const texts = await Promise.all(
      ["", "/link", `/report?${everything}`, "/badge.svg"].map(async (path) => (await get(open.url + path)).text),
    );
    const secrets = [site.sale.id, site.owner.account, open.id, '"spring"', "Acme", "ada@example.com"];
    expect(secrets.filter((secret) => texts.some((text) => text.includes(secret)))).toEqual([]);
  });
});

describe("a shared report", () => {
  test("has the figures of the console's", async () => {
    const { json } = await get(`${open.url}/report?interval=30d&group_by=country`);
    expect(json).toMatchObject({
      period: { timezone: "UTC" },
      totals: { clicks: 18, qr_scans: 6, bot_hits: 4 },
      breakdowns: {
        country: {
          items: [
            { key: "DE", clicks: 12 },
            { key: "FR", clicks: 6 },
          ],
          other_clicks: 0,
        },
      },
    });
  });

  test("counts days in its own time zone, and no other", async () => {
    const { url } = await share({ timezone: "Asia/Tokyo" });
    expect((await get(`${url}/report`)).json).toMatchObject({ period: { timezone: "Asia/Tokyo" } });
    expect((await get(`${url}/report?timezone=UTC`)).status).toBe(422);
  });

  test.each(["group_by=rule", "rule=a", "group_by=link", "tag=spring", "compare=previous", "format=csv", "limit=101"])(
    "refuses %s",
    async (query) => {
      expect(codeOf(await get(`${open.url}/report?${query}`))).toBe("validation_failed");
    },
  );

  test("can be filtered", async () => {
    const { json } = await get(`${open.url}/report?interval=30d&country=FR`);
    expect(json).toMatchObject({ totals: { clicks: 6 } });
  });

  test("leaves out values of too few visitors, and can't be filtered then", async () => {
    const { url } = await share({ min_visitors: 7 });
    for (const visitors of ["true", "false"]) {
      const { json } = await get(`${url}/report?interval=30d&group_by=country&breakdown_visitors=${visitors}`);
      expect(json).toMatchObject({
        totals: { clicks: 18 },
        breakdowns: {
          country: {
            items: [{ key: "DE", clicks: 12, unique_visitors: visitors === "true" ? 12 : null }],
            other_clicks: 6,
          },
        },
      });
    }
    expect(codeOf(await get(`${url}/report?interval=30d&country=FR`))).toBe("validation_failed");
    expect(codeOf(await get(`${url}/report?interval=30d&country=`))).toBe("validation_failed");
  });

  test("isn't for search engines, other sites or caches", async () => {
    for (const path of ["", "/", "/link", "/report"]) {
      const { status, headers } = await get(open.url + path);
      expect([
        path,
        status,
        headers.get("x-robots-tag"),
        headers.get("cache-control"),
        headers.get("referrer-policy"),
      ]).toEqual([path, 200, "noindex, nofollow", "no-store", "no-referrer"]);
      expect(headers.getSetCookie()).toEqual([]);
      expect(headers.has("access-control-allow-origin")).toBe(false);
    }
    const page = await get(open.url);
    expect(page.text).toContain('<meta name="robots" content="noindex">');
    expect(page.headers.get("content-security-policy")).toContain("connect-src 'self'");
  });

  test("has no token in the log", async () => {
    const token = open.url.split("/").at(-1) ?? "";
    const { headers } = await get(`${open.url}/report?interval=7d`);
    const id = headers.get("x-request-id") ?? "";
    await until("the request is logged", () => site.server.output.stdout.includes(id));
    expect(site.server.output.stdout).toContain('"route":"share_page.report"');
    expect(site.server.output.stdout + site.server.output.stderr).not.toContain(token);
  });
});

describe("the destination", () => {
  const shownOf = async (fields: object, then: (id: string) => unknown = () => null): Promise<unknown> => {
    const { id } = await site.owner.do(createLink, {
      body: { destination_url: "https://example.com/goal", ...fields },
    });
    const { url } = await share({}, id);
    await then(id);
    return ((await get(`${url}/link`)).json as { readonly destination_url: unknown }).destination_url;
  };
  const change = (sql: string) => (id: string) =>
    changeRecords(site.server, `update links set ${sql} where id = ?`, id);

  test("is shown for a plain link", async () => {
    expect(await shownOf({})).toBe("https://example.com/goal");
  });

  test.each([
    ["a password", { password: "tulip" }],
    ["a click limit", { max_clicks: 5 }],
    ["a start in the future", { starts_at: "2098-01-01T00:00:00Z" }],
    ["rules", { rules: [{ when: { country: ["DE"] }, destination_url: "https://example.com/de" }] }],
  ])("isn't shown for one with %s", async (_, fields) => {
    expect(await shownOf(fields)).toBeNull();
  });

  test.each([
    ["is paused", "state = 'paused'"],
    ["is archived", "state = 'archived'"],
    ["has expired", "expires_at = 1"],
    ["is blocked", "blocked_reason = 'phishing', blocked_at = 1, blocked_by = 'operator'"],
  ])("isn't shown while the link %s", async (_, sql) => {
    expect(await shownOf({}, change(sql))).toBeNull();
  });
});

describe("a report with a password", () => {
  let locked: Share;
  beforeAll(async () => {
    locked = await share({ password: "tulip" });
  });

  test("shows its page, but nothing else without it", async () => {
    expect((await get(locked.url)).status).toBe(200);
    for (const path of ["/link", "/report"]) expect(codeOf(await get(locked.url + path))).toBe("share_locked");
    expect((await get(`${locked.url}/badge.svg`)).status).toBe(404);
  });

  test("opens with it, for no other report", async () => {
    expect(codeOf(await enter(locked.url, "rose"))).toBe("wrong_password");
    const { access } = (await enter(locked.url, "tulip")).json as { readonly access: string };
    const withAccess = (url: string, value: string) =>
      get(`${url}/link`, { headers: { [SHARE_ACCESS_HEADER]: value } });
    expect((await withAccess(locked.url, access)).status).toBe(200);
    const other = await share({ password: "tulip" });
    const [until = "", signature = ""] = access.split(".");
    for (const [url, value] of [
      [other.url, access],
      [locked.url, `${Number(until) + 1}.${signature}`],
      [locked.url, `${until}.`],
      [locked.url, ""],
    ] as const) {
      expect(codeOf(await withAccess(url, value))).toBe("share_locked");
    }
  });

  test("isn't opened from other sites", async () => {
    for (const headers of [{}, { "sec-fetch-site": "cross-site" }, { origin: "https://evil.example" }]) {
      expect(codeOf(await enter(locked.url, "tulip", headers as Record<string, string>))).toBe("cross_site");
    }
  });

  test("refuses guessing, but no other report", async () => {
    const { url } = await share({ password: "tulip" });
    const codes: string[] = [];
    while (codes.at(-1) !== "rate_limited") {
      const code = codeOf(await enter(url, `guess ${codes.length}`));
      // A busy machine may have no time for a password, which then counts as none.
      if (code !== "unavailable") codes.push(code);
    }
    expect(codes).toEqual([...Array(10).fill("wrong_password"), "rate_limited"]);
    const refused = await enter(url, "tulip");
    expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
    expect((await enter(locked.url, "tulip")).status).toBe(200);
  });
});

describe("the badge", () => {
  test("has the number of clicks, and may be cached for a minute by anyone", async () => {
    await until("clicks are counted", async () => (await get(`${open.url}/badge.svg`)).text.includes(">38<"));
    const { headers, text } = await get(`${open.url}/badge.svg`);
    expect(headers.get("content-type")).toBe("image/svg+xml; charset=utf-8");
    expect(headers.get("cache-control")).toBe("public, max-age=60");
    expect(headers.get("cross-origin-resource-policy")).toBe("cross-origin");
    expect(text).toContain('aria-label="38 clicks"');
    expect(text).not.toMatch(/<script|href|url\(|@import/);
  });

  test("shows new clicks at once when it is asked for again", async () => {
    const { id } = await site.owner.do(createLink, { body: { destination_url: "https://example.com/" } });
    const { url } = await share({}, id);
    expect((await get(`${url}/badge.svg`)).text).toContain("0 clicks");
    await leavePastClicks(site.server, [{ link: id, at: daysAgo(1), times: 1 }]);
    await until("the click is counted", async () => (await get(`${url}/badge.svg`)).text.includes("1 click<"));
  });
});
