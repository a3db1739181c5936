import { expect, test } from "bun:test";
import { withoutOwnReferer } from "./own-referer.ts";

const refererOf = (referer: string | null, host: string): string | null => {
  const headers = new Headers({ host, "user-agent": "a browser", ...(referer !== null && { referer }) });
  const seen = withoutOwnReferer({ method: "POST", url: "/abc?x=1", headers });
  expect([seen.method, seen.url, seen.headers.get("user-agent")]).toEqual(["POST", "/abc?x=1", "a browser"]);
  return seen.headers.get("referer");
};

test("a page of the visited host is no referrer, however host and page are spelled", () => {
  for (const [referer, host] of [
    ["https://go.acme.example/abc", "go.acme.example"],
    ["https://GO.acme.example/", "go.ACME.example"],
    ["https://go.acme.example/abc", "go.acme.example."],
    ["http://go.acme.example:8080/abc", "go.acme.example:8080"],
    ["https://bücher.example/", "xn--bcher-kva.example"],
  ] as const) {
    expect([referer, host, refererOf(referer, host)]).toEqual([referer, host, null]);
  }
});

test("any other stays as it was sent", () => {
  for (const referer of [
    "https://news.example/",
    "https://acme.example/form",
    "https://go.acme.example.other.example/",
    "android-app://com.example.app/",
    "go.acme.example",
    "",
    null,
  ]) {
    expect([referer, refererOf(referer, "go.acme.example")]).toEqual([referer, referer]);
  }
  expect(refererOf("nonsense", "")).toBe("nonsense");
});
