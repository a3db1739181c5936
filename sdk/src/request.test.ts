import { expect, test } from "bun:test";
import fc from "fast-check";
import { operations } from "./generated.ts";
import { buildRequest } from "./request.ts";

const sender = { baseUrl: "https://s.example", token: "kurz_x_y", userAgent: undefined };

test("whatever the id contains, the call reaches its operation's route with exactly that id", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1 }), (id) => {
      fc.pre(id !== "." && id !== "..");
      const { pathname, search, hash, origin } = new URL(
        buildRequest(operations["links.pause"], { params: { id } }, sender).url,
      );
      const segments = pathname.split("/");
      expect(origin + search + hash).toBe("https://s.example");
      expect(segments).toHaveLength(6);
      expect([segments[3], decodeURIComponent(segments[4] ?? ""), segments[5]]).toEqual(["links", id, "pause"]);
    }),
  );
});

test("an id that would reach another route is rejected before anything is sent", () => {
  for (const id of ["", ".", ".."]) {
    expect(() => buildRequest(operations["links.delete"], { params: { id } }, sender)).toThrow(TypeError);
  }
});

test("arrays repeat the parameter, and undefined values are omitted", () => {
  const query = { state: ["active", "archived"], tag: [], limit: 10, expired: false, cursor: undefined };
  const { url } = buildRequest(operations["links.list"], { query }, sender);
  expect(url).toBe("https://s.example/api/v1/links?state=active&state=archived&limit=10&expired=false");
});

test("a version becomes an entity tag, and a tag stays as it is", () => {
  const ifMatchOf = (ifMatch: number | string) =>
    buildRequest(operations["links.delete"], { params: { id: "lnk_1" }, ifMatch }, sender).headers.get("If-Match");
  expect(ifMatchOf(3)).toBe('"3"');
  expect(ifMatchOf('"3"')).toBe('"3"');
  expect(ifMatchOf("*")).toBe("*");
});

test("a body has its operation's media type, and operations without one send none", () => {
  const { headers, body } = buildRequest(
    operations["links.update"],
    { params: { id: "lnk_1" }, body: { title: null } },
    sender,
  );
  expect(headers.get("Content-Type")).toBe("application/merge-patch+json");
  expect(body).toBe('{"title":null}');
  const action = buildRequest(operations["links.pause"], { params: { id: "lnk_1" } }, sender);
  expect(action.headers.get("Content-Type")).toBeNull();
  expect(action.body).toBeUndefined();
});

test("no User-Agent is sent by default", () => {
  expect(buildRequest(operations["me.get"], {}, sender).headers.has("User-Agent")).toBe(false);
  const { headers } = buildRequest(operations["me.get"], {}, { ...sender, userAgent: "acme/1" });
  expect(headers.get("User-Agent")).toBe("acme/1");
});
