import { describe, expect, test } from "bun:test";
import { Answers } from "./answers.ts";

const open = (isHttps = false): Answers => new Answers({ isHttps, shortDomain: "s.example", abuseContact: null });

describe("Answers", () => {
  test("a redirect keeps its own location and id when the next one is made", () => {
    const answers = open();
    const first = answers.redirect("https://a.example/", "req_1");
    const second = answers.redirect("https://b.example/", "req_2");
    expect([first.headers.get("location"), first.headers.get("x-request-id")]).toEqual(["https://a.example/", "req_1"]);
    expect([second.headers.get("location"), second.headers.get("x-request-id")]).toEqual([
      "https://b.example/",
      "req_2",
    ]);
    first.headers.set("location", "https://changed.example/");
    expect(answers.redirect("https://c.example/", "req_3").headers.get("location")).toBe("https://c.example/");
  });

  test("every answer asks the client to leave while the process drains", () => {
    const answers = open();
    const all = () => [
      answers.redirect("https://a.example/", "x"),
      answers.notFound("x"),
      answers.gone("x"),
      answers.blocked({ blocked_reason: null }, "x"),
      answers.preview({ slug: "a", title: null, location: "https://a.example/" }, "x"),
      answers.tooManyMisses(1, "x"),
      answers.unavailable("x"),
      answers.apiUnavailable("x"),
      answers.methodNotAllowed("x"),
      answers.targetTooLong("x"),
      answers.internalError("x"),
      answers.text(200, "ok", "x"),
    ];
    expect(all().map(({ headers }) => headers.get("connection"))).toEqual(Array(12).fill(null));
    answers.startDraining();
    expect(all().map(({ headers }) => headers.get("connection"))).toEqual(Array(12).fill("close"));
    expect(all().every(({ headers }) => headers.get("x-request-id") === "x")).toBe(true);
  });

  test("HSTS is promised on https only", () => {
    expect(open(true).notFound("x").headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(open(false).notFound("x").headers.get("strict-transport-security")).toBeNull();
  });

  test("a refusal says in whole seconds when to come back, and never 0", () => {
    const seconds = (ms: number): string | null => open().tooManyMisses(ms, "x").headers.get("retry-after");
    expect([seconds(0.2), seconds(1000), seconds(1001)]).toEqual(["1", "1", "2"]);
  });
});
