import { expect, test } from "bun:test";
import { DomainCreate } from "#contract/domain-record.ts";
import { LinkCreate } from "#contract/link-record.ts";
import { fieldErrors } from "./field-errors.ts";

const problemsOf = (schema: typeof LinkCreate | typeof DomainCreate, body: object): string[] => {
  const { error } = schema.safeParse(body);
  return fieldErrors("body", error?.issues ?? [], body).map(
    ({ field, code, message }) => `${field} ${code} ${message}`,
  );
};

const destination_url = "https://example.com/";
const ofConditions = (when: object): string[] =>
  problemsOf(LinkCreate, { destination_url, rules: [{ when, destination_url }] });
const ofTime = (time: unknown): string[] => ofConditions({ time });

const AT = "rules.0.when.time";
const timezone = "Europe/Berlin";
const after = "2026-01-01T00:00:00Z";

test("a mistake in the hours of a rule is named where it is, and nothing else is", () => {
  expect(ofTime({ days: ["monday"], timezone })).toEqual([
    `${AT}.days.0 not_in_enum Must be one of: mon, tue, wed, thu, fri, sat, sun.`,
  ]);
  expect(ofTime({ from: "9:00", timezone })).toEqual([`${AT}.from invalid_format Must be a time such as 09:30.`]);
  expect(ofTime({ from: "9:00" })).toEqual([`${AT}.from invalid_format Must be a time such as 09:30.`]);
  expect(ofTime({ days: [], timezone })).toEqual([`${AT}.days too_short Must have at least 1 item.`]);
  expect(ofTime({ days: ["mon"], timezone, until: "17:00" })).toEqual([
    `${AT}.until unknown_field There is no such field.`,
  ]);
});

test("hours without a time zone, no time at all, and both kinds of time are told in words", () => {
  const missing = `${AT}.timezone required Days and hours need a time zone, such as Europe/Berlin.`;
  expect(ofTime({ days: ["mon"] })).toEqual([missing]);
  expect(ofTime({ from: "09:00", to: "17:00" })).toEqual([missing]);
  expect(ofTime({})).toEqual([`${AT} required Give after, before or both, or days and hours with their timezone.`]);
  expect(ofTime({ after, days: ["mon"], timezone })).toEqual([
    `${AT} type Give either after and before, or days and hours with their timezone.`,
  ]);
  expect(ofTime("always")).toEqual([`${AT} type Must be an object.`]);
});

test("a range of time is judged as a range", () => {
  expect(ofTime({ after: "tomorrow" })[0]).toStartWith(`${AT}.after invalid_format Must be an RFC 3339 instant`);
  for (const time of [
    { after },
    { before: after },
    { timezone },
    { days: ["sun"], from: "22:00", to: "06:00", timezone },
  ])
    expect(ofTime(time)).toEqual([]);
});

test("parameters of a rule say what they can be", () => {
  expect(ofConditions({ query: { ref: 5 } })).toEqual([
    "rules.0.when.query.ref type Must be a string, or true for any value.",
  ]);
  const eleven = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`p${at}`, true]));
  expect(ofConditions({ query: eleven })).toEqual(["rules.0.when.query too_long Must have at most 10 parameters."]);
});

test("conditions that ask for nothing are refused", () => {
  expect(ofConditions({ query: {} })).toEqual([
    "rules.0.when.query too_short Give at least one parameter, or leave out query.",
  ]);
  expect(ofConditions({ not: {} })).toEqual([
    "rules.0.when.not too_short Give at least one condition, or leave out not.",
  ]);
  expect(ofConditions({})).toEqual([
    "rules.0.when too_short Give at least one condition, or leave out when: the rule then always decides.",
  ]);
});

test("of a condition that doesn't exist only that is said", () => {
  expect(ofConditions({ weather: ["sunny"] })).toEqual(["rules.0.when.weather unknown_field There is no such field."]);
  expect(ofConditions({ not: { not: {} } })).toEqual(["rules.0.when.not.not unknown_field There is no such field."]);
});

test("an object whose names are the sender's own is called an object, and its names are judged in words", () => {
  for (const query of ["ref=x", 5, null, ["ref"]]) {
    expect(ofConditions({ query })).toEqual(["rules.0.when.query type Must be an object."]);
  }
  expect(ofConditions({ query: { "": true } })).toEqual(["rules.0.when.query. too_short The name must not be empty."]);
  const long = "x".repeat(101);
  expect(ofConditions({ query: { [long]: true } })).toEqual([
    `rules.0.when.query.${long} too_long The name must have at most 100 characters.`,
  ]);
});

test("one is counted as one", () => {
  expect(problemsOf(LinkCreate, { destination_url, title: "" })).toEqual([
    "title too_short Must have at least 1 character.",
  ]);
});

test("a document for apps without any of its parts names them", () => {
  expect(
    problemsOf(DomainCreate, { name: "go.acme.example", app_links: { apple_app_site_association: { apps: [] } } }),
  ).toEqual([
    "app_links.apple_app_site_association required Needs at least one of: applinks, webcredentials, appclips, " +
      "activitycontinuation.",
  ]);
});
