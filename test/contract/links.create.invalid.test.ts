import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, errorOf, fieldErrorsOf, joinApi, newLink } from "#test/support/api-client.ts";

const PATH = "/api/v1/links";
const DESTINATION = "https://example.com/sale";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const invalid = async (json: object): Promise<string[]> => {
  const { token } = await api.newCaller();
  const answer = await api.call({ method: "POST", path: PATH, token, json });
  expect(answer.status).toBe(422);
  return fieldErrorsOf(errorOf(answer));
};

test.each([
  ["example.com", "invalid_url"],
  ["//example.com/", "invalid_url"],
  ["https://", "invalid_url"],
  [" https://example.com/", "invalid_url"],
  ["java\nscript:alert(1)", "invalid_url"],
  ["https://example.com\\@evil.example/", "invalid_url"],
  ["javascript:alert(1)", "scheme_not_allowed"],
  ["data:text/html,x", "scheme_not_allowed"],
  ["ftp://example.com/", "scheme_not_allowed"],
  ["https://bank.example@evil.example/", "credentials_not_allowed"],
  ["http://2130706433/", "host_not_allowed"],
  ["http://[::1]/", "host_not_allowed"],
  ["http://a.localhost/", "host_not_allowed"],
  ["http://printer.local/", "host_not_allowed"],
  ["https://a..b.example/", "host_not_allowed"],
  ["https://example.com:25/", "host_not_allowed"],
  ["https://аpple.example/", "homograph"],
  ["https://bit.ly/x", "nested_shortener"],
  [`https://example.com/${"a".repeat(8000)}`, "too_long"],
  ["", "too_short"],
])("the destination %p is refused as %s", async (destination_url, code) => {
  expect(await invalid({ destination_url })).toEqual([`body destination_url ${code}`]);
});

test("a link can't lead to the service itself", async () => {
  for (const host of [`localhost:${api.server.port}`, `LOCALHOST:${api.server.port}`]) {
    expect(await invalid({ destination_url: `http://${host}/abc` })).toEqual([`body destination_url self_reference`]);
  }
});

test("a destination that is too long only with its UTM parameters is refused", async () => {
  const destination_url = `https://example.com/${"a".repeat(7900)}`;
  expect(await invalid({ destination_url, utm: { utm_source: "é".repeat(50) } })).toEqual([
    "body destination_url too_long",
  ]);
});

test("the destination is required and must be a string", async () => {
  expect(await invalid({})).toEqual(["body destination_url required"]);
  for (const destination_url of [null, 1, [], {}, true]) {
    expect(await invalid({ destination_url })).toEqual(["body destination_url type"]);
  }
});

test.each([
  ["", "invalid_format"],
  ["-a", "invalid_format"],
  ["a-", "invalid_format"],
  ["_a", "invalid_format"],
  ["a b", "invalid_format"],
  ["a/b", "invalid_format"],
  ["a+", "invalid_format"],
  ["ä", "invalid_format"],
  ["аbc", "invalid_format"],
  ["a".repeat(65), "invalid_format"],
  ["api", "reserved_slug"],
  ["DOCS", "reserved_slug"],
  ["Healthz", "reserved_slug"],
])("the slug %p is refused as %s", async (slug, code) => {
  expect(await invalid({ destination_url: DESTINATION, slug })).toEqual([`body slug ${code}`]);
});

test("every slug that the service uses itself is reserved", async () => {
  const { token } = await api.newCaller();
  const names =
    "api app login logout signup account settings developer docs assets static console setup invite admin www qr share healthz readyz metrics";
  const files = "robots.txt favicon.ico sitemap.xml .well-known a.php";
  for (const slug of `${names} ${files}`.split(" ")) {
    const json = { destination_url: DESTINATION, slug };
    const answer = await api.call({ method: "POST", path: PATH, token, json });
    expect([slug, fieldErrorsOf(errorOf(answer))]).toEqual([slug, ["body slug reserved_slug"]]);
  }
});

test.each([
  ["an empty title", { title: "" }, ["body title too_short"]],
  ["a title of spaces", { title: " \u00a0 " }, ["body title too_short"]],
  ["a title of 256 characters", { title: "🔗".repeat(256) }, ["body title too_long"]],
  ["a title with a line break", { title: "a\nb" }, ["body title invalid_format"]],
  ["a title with a C1 control", { title: "a\u0085b" }, ["body title invalid_format"]],
  ["a title that is a number", { title: 1 }, ["body title type"]],
  ["21 tags", { tags: Array.from({ length: 21 }, (_, index) => `t${index}`) }, ["body tags too_long"]],
  ["an empty tag", { tags: ["a", ""] }, ["body tags.1 too_short"]],
  ["a tag of 51 characters", { tags: ["🏷".repeat(51)] }, ["body tags.0 too_long"]],
  ["a tag that isn't a string", { tags: [1, null] }, ["body tags.0 type", "body tags.1 type"]],
  ["tags as one string", { tags: "a,b" }, ["body tags type"]],
  ["an empty UTM value", { utm: { utm_source: " " } }, ["body utm.utm_source too_short"]],
  ["a UTM value of 256 characters", { utm: { utm_term: "x".repeat(256) } }, ["body utm.utm_term too_long"]],
  [
    "an unknown UTM key",
    { utm: { utm_id: "x", source: "y" } },
    ["body utm.source unknown_field", "body utm.utm_id unknown_field"],
  ],
  ["UTM parameters in a list", { utm: [] }, ["body utm type"]],
  ["an expiry in the past", { expires_at: "2020-01-01T00:00:00Z" }, ["body expires_at in_past"]],
  ["an expiry without an offset", { expires_at: "2099-01-01T00:00:00" }, ["body expires_at invalid_format"]],
  ["an expiry that is a date", { expires_at: "2099-01-01" }, ["body expires_at invalid_format"]],
  ["an expiry on a day that doesn't exist", { expires_at: "2099-02-30T00:00:00Z" }, ["body expires_at invalid_format"]],
  ["an expiry that is a number", { expires_at: 4_070_908_800_000 }, ["body expires_at type"]],
])("%s is refused", async (_, fields, expected) => {
  expect(await invalid({ destination_url: DESTINATION, ...fields })).toEqual([...expected]);
});

test("fields that the service sets can't be given", async () => {
  const given =
    "destination_url domain expired_url expires_at external_id forward_path forward_query max_clicks metadata notes preview redirect_status rules slug starts_at tags title utm";
  const link = await newLink((await api.newCaller()).kurz);
  const decided = Object.entries(link).filter(([field]) => !given.split(" ").includes(field));
  expect(decided).toHaveLength(Object.keys(link).length - given.split(" ").length);
  for (const [field, value] of [...decided, ["account_id", "acc_other"], ["is_admin", true]] as const) {
    const errors = await invalid({ destination_url: DESTINATION, [String(field)]: value });
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(new RegExp(`^body ${field} (unknown_field|read_only_field)$`));
  }
});

test("all mistakes are listed in one answer", async () => {
  const json = {
    destination_url: "https://user@example.com/",
    slug: "admin",
    title: "",
    tags: ["", "x".repeat(51)],
    utm: { utm_source: "", utm_bad: "x" },
    expires_at: "tomorrow",
    colour: "red",
  };
  expect(await invalid(json)).toEqual([
    "body colour unknown_field",
    "body destination_url credentials_not_allowed",
    "body expires_at invalid_format",
    "body slug reserved_slug",
    "body tags.0 too_short",
    "body tags.1 too_long",
    "body title too_short",
    "body utm.utm_bad unknown_field",
    "body utm.utm_source too_short",
  ]);
});

test("an expiry in the past is listed with other mistakes", async () => {
  const json = { destination_url: DESTINATION, title: "", expires_at: "2020-01-01T00:00:00Z" };
  expect(await invalid(json)).toEqual(["body expires_at in_past", "body title too_short"]);
});

test("at most 50 mistakes are listed", async () => {
  const fields = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`field${index}`, 1]));
  expect(await invalid({ destination_url: DESTINATION, ...fields })).toHaveLength(50);
});
