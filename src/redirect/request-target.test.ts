import { describe, expect, test } from "bun:test";
import { isAmbiguousPath, targetOf, targetTextOf } from "./request-target.ts";

describe("the request target", () => {
  test.each([
    ["http://a.example/abc?x=1", "/abc", "x=1"],
    ["http://a.example:8080/abc", "/abc", ""],
    ["/abc?x=1?y", "/abc", "x=1?y"],
    ["/abc#f?x=1", "/abc", ""],
    ["/", "/", ""],
    ["http://a.example/", "/", ""],
    ["http://a.example", "", ""],
    ["a:1", "", ""],
    ["", "", ""],
    ["/go/http://b.example/?x", "/go/http://b.example/", "x"],
  ])("%j has the path %j and the query %j", (url, path, query) => {
    expect(targetOf(url)).toEqual({ path, query });
  });

  test("keeps path and query together", () => {
    expect(targetTextOf("http://a.example/api/v1/links?q=a%20b")).toBe("/api/v1/links?q=a%20b");
  });
});

describe("a path is ambiguous", () => {
  test.each([
    "/api/../x",
    "/api/..",
    "/api/./x",
    "/api/%2e%2e/x",
    "/api/.%2E/x",
    "/api\\..\\x",
    "/api/%2e",
    "/api%2f..%5Cx",
    "/api\\x",
  ])("as %s is", (path) => {
    expect(isAmbiguousPath(path)).toBe(true);
  });

  test.each(["/api/v1/..a", "/api/a..b/c", "/docs/a.b", "/api/...", "/robots.txt", "/api/a%5cb"])(
    "but not as %s is",
    (path) => {
      expect(isAmbiguousPath(path)).toBe(false);
    },
  );
});
