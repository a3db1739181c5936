import { expect, test } from "bun:test";
import { BadValue, parseValue, type ValueKind } from "#config/parse-value.ts";
import { scopes } from "#contract/scopes.ts";
import { emailAddress, lifetime, nameText, scopeList, tokenId } from "./option-values.ts";

const read = <T>(kind: ValueKind<T>, text: string): T => parseValue("--it", kind, text);

test("scopes must be known; all means every one, and order and repetition do not matter", () => {
  expect(read(scopeList, "all")).toEqual(scopes);
  expect(read(scopeList, "links:write, links:read,links:write")).toEqual(["links:read", "links:write"]);
  for (const bad of ["", "links", "links:read,", "links:read,all", "toString"]) {
    expect(() => read(scopeList, bad)).toThrow(BadValue);
  }
});

test("a lifetime is days, hours or never", () => {
  expect(read(lifetime, "12h")).toBe(12 * 3_600_000);
  expect(read(lifetime, "365d")).toBe(365 * 86_400_000);
  expect(read(lifetime, "never")).toBeNull();
  for (const bad of ["", "0d", "-1d", "1.5d", "90", "d", "3651d", "999999d", "1w", "Never", " 1d"]) {
    expect(() => read(lifetime, bad)).toThrow(BadValue);
  }
});

test("an e-mail address is one that sign-in accepts", () => {
  expect(read(emailAddress, "Ada.L+kurz@mail.example.com")).toBe("Ada.L+kurz@mail.example.com");
  for (const bad of ["", "ada", "ada@", "@example.com", "a b@example.com", `${"a".repeat(250)}@example.com`]) {
    expect(() => read(emailAddress, bad)).toThrow(BadValue);
  }
});

test("a name is one short line", () => {
  expect(read(nameText, " Acme Ltd ")).toBe("Acme Ltd");
  for (const bad of ["", "  ", "a\nb", "\u001b[31mred", "x".repeat(101)])
    expect(() => read(nameText, bad)).toThrow(BadValue);
});

test("a token is named by its id, and a whole token is refused without repeating its secret", () => {
  expect(read(tokenId, "4fJq81ZkWx0B")).toBe("4fJq81ZkWx0B");
  expect(read(tokenId, "kurz_4fJq81ZkWx0B")).toBe("4fJq81ZkWx0B");
  expect(() => read(tokenId, "kurz_4fJq81ZkWx0B_secret")).toThrow(
    new BadValue("--it must be the token id alone: 4fJq81ZkWx0B"),
  );
  for (const bad of ["", "kurz_", "4fJq81ZkWx0", "4fJq81ZkWx0B0"]) expect(() => read(tokenId, bad)).toThrow(BadValue);
});
