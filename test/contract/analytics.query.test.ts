import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import type { Link } from "#sdk/generated.ts";
import { type Api, type Caller, errorOf, fieldErrorsOf, joinApi, newLink } from "#test/support/api-client.ts";

let api: Api;
let caller: Caller;
let link: Link;
let paths: readonly string[];

beforeAll(async () => {
  api = await joinApi();
  caller = await api.newCaller();
  link = await newLink(caller.kurz);
  paths = ["/api/v1/analytics", `/api/v1/links/${link.id}/analytics`];
});
afterAll(() => api.stop());

/** The problems of a query, the same for both reports. */
async function refused(query: string): Promise<string[]> {
  const [account, ofLink] = await Promise.all(
    paths.map(async (path) => {
      const answer = await api.call({ path: `${path}?${query}`, token: caller.token });
      expect([query, answer.status]).toEqual([query, 422]);
      return fieldErrorsOf(errorOf(answer));
    }),
  );
  expect(ofLink).toEqual(account ?? []);
  return account ?? [];
}

describe("a query is refused, naming the parameter, if", () => {
  test.each([
    ["the interval is unknown", "interval=1w", "query interval not_in_enum"],
    ["the interval is empty", "interval=", "query interval not_in_enum"],
    ["interval and from are combined", "interval=7d&from=2026-01-01", "query interval duplicate_parameter"],
    ["interval and to are combined", "interval=7d&to=2026-01-01", "query interval duplicate_parameter"],
    ["there is an end without a start", "to=2026-01-01", "query from required"],
    ["the start isn't a date", "from=yesterday", "query from invalid_format"],
    ["the start is a date that doesn't exist", "from=2026-02-30", "query from invalid_format"],
    ["the start is empty", "from=", "query from invalid_format"],
    ["an instant has no offset", "from=2026-01-01T00:00:00", "query from invalid_format"],
    ["the plus of an offset was not encoded", "from=2026-01-01T00:00:00+02:00", "query from invalid_format"],
    ["the start is a number", "from=1767225600000", "query from invalid_format"],
    ["the end isn't a date", "from=2026-01-01&to=2026-13-01", "query to invalid_format"],
    ["the end is before the start", "from=2026-01-02&to=2026-01-01", "query to out_of_range"],
    ["the start is in the future", "from=2999-01-01", "query from out_of_range"],
    ["the start is in the distant past", "from=0001-01-01", "query from out_of_range"],
    ["the time zone doesn't exist", "timezone=Mars/Olympus", "query timezone invalid_timezone"],
    ["the time zone is an offset", "timezone=%2B02:00", "query timezone invalid_timezone"],
    ["the time zone is empty", "timezone=", "query timezone invalid_timezone"],
    ["the time zone is a path", "timezone=../../etc/passwd", "query timezone invalid_timezone"],
    ["the granularity is unknown", "granularity=minute", "query granularity not_in_enum"],
    ["the limit is 0", "limit=0", "query limit out_of_range"],
    ["the limit is 1001", "limit=1001", "query limit out_of_range"],
    ["the limit isn't a number", "limit=ten", "query limit type"],
    ["the limit isn't an integer", "limit=1.5", "query limit type"],
    ["the dimension is unknown", "group_by=colour", "query group_by.0 not_in_enum"],
    ["dimensions are joined", "group_by=country,os", "query group_by.0 not_in_enum"],
    ["bots are neither true nor false", "include_bots=yes", "query include_bots type"],
    ["the comparison is unknown", "compare=year", "query compare not_in_enum"],
    ["the format is unknown", "format=xml", "query format not_in_enum"],
    ["a filter is too long", `referrer=${"a".repeat(256)}`, "query referrer.0 too_long"],
    ["a country is given by its name", "country=DE&country=Germany", "query country.1 invalid_format"],
    ["the device is unknown", "device=watch", "query device.0 not_in_enum"],
    ["one of several devices is in capitals", "device=mobile&device=Tablet", "query device.1 not_in_enum"],
    ["the source is unknown", "source=mail", "query source.0 not_in_enum"],
    ["a filter has too many values", `os=${"x&os=".repeat(100)}x`, "query os too_long"],
    ["the parameter is unknown", "colour=red", "query colour unknown_field"],
    ["the parameter is spelled in capitals", "Interval=7d", "query Interval unknown_field"],
    ["a parameter that takes one value is repeated", "timezone=UTC&timezone=UTC", "query timezone duplicate_parameter"],
    [
      "a range has more than a thousand hours",
      "from=2026-01-01&to=2026-02-11T16:00:00.001Z&granularity=hour",
      "query granularity range_too_large",
    ],
    ["a year has more than a thousand hours", "interval=1y&granularity=hour", "query granularity range_too_large"],
    [
      "a range has more than a thousand days",
      "from=2020-01-01&to=2023-01-01&granularity=day",
      "query granularity range_too_large",
    ],
    [
      "a range has more than a thousand steps of any length",
      "from=1900-01-01&to=2026-01-01",
      "query from range_too_large",
    ],
    ["CSV is asked for with two breakdowns", "format=csv&group_by=os&group_by=country", "query group_by too_long"],
  ])("%s", async (_, query, expected) => {
    expect(await refused(query)).toEqual([expected]);
  });

  test("several parameters are wrong, naming them all", async () => {
    expect(await refused("limit=0&format=xml&colour=red")).toEqual([
      "query colour unknown_field",
      "query format not_in_enum",
      "query limit out_of_range",
    ]);
    expect(await refused("timezone=Nowhere&from=x&to=y")).toEqual([
      "query from invalid_format",
      "query timezone invalid_timezone",
      "query to invalid_format",
    ]);
    expect(await refused("limit=0&timezone=Nowhere&from=x&format=csv&group_by=os&group_by=country")).toEqual([
      "query from invalid_format",
      "query group_by too_long",
      "query limit out_of_range",
      "query timezone invalid_timezone",
    ]);
    expect(await refused("interval=7d&interval=7d&timezone=Nowhere")).toEqual([
      "query interval duplicate_parameter",
      "query timezone invalid_timezone",
    ]);
  });

  test("one link's report is grouped or filtered by link, tag or domain", async () => {
    const path = `/api/v1/links/${link.id}/analytics`;
    for (const [query, expected] of [
      ["group_by=link", "query group_by.0 not_in_enum"],
      ["group_by=tag", "query group_by.0 not_in_enum"],
      [`link=${link.id}`, "query link unknown_field"],
      ["tag=spring", "query tag unknown_field"],
      ["group_by=domain", "query group_by.0 not_in_enum"],
      ["domain=s.example", "query domain unknown_field"],
    ] as const) {
      const answer = await api.call({ path: `${path}?${query}`, token: caller.token });
      expect(fieldErrorsOf(errorOf(answer))).toEqual([expected]);
    }
  });

  test("but not if a dimension is named twice", async () => {
    const given = await caller.kurz.analytics.get({ group_by: ["country", "country"] });
    expect(Object.keys(given.breakdowns)).toEqual(["country"]);
  });
});

test("every example in the documentation works", async () => {
  const page = await Bun.file(join(import.meta.dir, "..", "..", "docs", "analytics.md")).text();
  const addresses = [...page.matchAll(/"(?:\$API|http:\/\/localhost:8080\/api\/v1)(\/[^"]+)"/g)].map(
    ([, path = ""]) => path,
  );
  expect(addresses.length).toBeGreaterThan(4);
  for (const address of addresses) {
    const path = `/api/v1${address.replace("$LINK", link.id)}`;
    expect([path, (await api.call({ path, token: caller.token })).status]).toEqual([path, 200]);
  }
});

test("reports require the scope analytics:read and no other", async () => {
  const { token } = await api.newCaller({ scopes: "analytics:read" });
  expect((await api.call({ path: "/api/v1/analytics", token })).status).toBe(200);
  const { token: other } = await api.newCaller({ scopes: "links:read,links:write" });
  const refusal = await api.call({ path: "/api/v1/analytics", token: other });
  expect(errorOf(refusal)).toMatchObject({
    code: "insufficient_scope",
    details: { required_scope: "analytics:read" },
  });
});
