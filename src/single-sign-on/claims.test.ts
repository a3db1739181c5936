import { describe, expect, test } from "bun:test";
import { findClaim, readEmail, readName, roleOf } from "./claims.ts";

const DOMAINS = ["acme.example", "xn--mller-kva.example"];

describe("the address", () => {
  test.each([
    [{ email: "Ada@ACME.example", email_verified: true }, { email: "ada@acme.example" }],
    [{ email: "ada@acme.example", email_verified: "true" }, { email: "ada@acme.example" }],
    [{ email: "ada@acme.example", xms_edov: true }, { email: "ada@acme.example" }],
    [{ email: "ada@acme.example", xms_edov: "1" }, { email: "ada@acme.example" }],
    [{ email: "ada@acme.example" }, { refused: "email_unverified" }],
    [{ email: "ada@acme.example", email_verified: false }, { refused: "email_unverified" }],
    [{ email: "ada@acme.example", email_verified: false, xms_edov: true }, { refused: "email_unverified" }],
    [{ email: "ada@acme.example", email_verified: 1 }, { refused: "email_unverified" }],
    [{ email: "ada@acme.example.evil.example", email_verified: true }, { refused: "domain" }],
    [{ email: "ada@evil-acme.example", email_verified: true }, { refused: "domain" }],
    [{ email: "ada@sub.acme.example", email_verified: true }, { refused: "domain" }],
    [{ email: "acme.example", email_verified: true }, { refused: "no_email" }],
    [{ email: ["ada@acme.example"], email_verified: true }, { refused: "no_email" }],
    [{ preferred_username: "ada@acme.example", email_verified: true }, { refused: "no_email" }],
  ])("of %p is %p", (claims, expected) => {
    expect(readEmail(claims, DOMAINS)).toEqual(expected as never);
  });
});

test("a person is called what the provider calls them, if it can be stored", () => {
  expect(readName({ name: "Grace Hopper", preferred_username: "grace" })).toBe("Grace Hopper");
  expect(readName({ name: "", preferred_username: "grace" })).toBe("grace");
  expect(readName({ name: "x".repeat(1000) })).toBeNull();
});

describe("a claim", () => {
  test.each([
    ["groups", ["a"]],
    ["realm_access.roles", ["b"]],
    ["https://acme.example/roles", ["c"]],
    ["realm_access.none", undefined],
    ["none.roles", undefined],
    ["constructor", undefined],
    ["realm_access.__proto__", undefined],
  ])("is found by its name or along its dots: %p", (name, expected) => {
    const claims = { groups: ["a"], realm_access: { roles: ["b"] }, "https://acme.example/roles": ["c"] };
    expect(findClaim(claims, name)).toEqual(expected);
  });
});

describe("a role", () => {
  const grants = [
    { role: "viewer", value: "everyone" },
    { role: "admin", value: "admins" },
    { role: "member", value: "marketing" },
  ] as const;
  const withRest = [...grants, { role: "viewer", value: "*" } as const];
  test.each([
    [["everyone", "admins", "marketing"], grants, "admin"],
    [["marketing"], grants, "member"],
    ["admins", grants, "admin"],
    [["Admins"], grants, null],
    [[], grants, null],
    [undefined, grants, null],
    [["bowling"], withRest, "viewer"],
    [undefined, withRest, "viewer"],
    [["marketing"], withRest, "member"],
    [["*"], grants, null],
  ])("for %p", (groups, given, expected) => {
    expect(roleOf({ groups }, "groups", given)).toBe(expected as never);
  });
});
