import { describe, expect, test } from "bun:test";
import { Answers } from "./answers.ts";

const open = (isHttps = false): Answers =>
  new Answers({ isHttps, shortDomain: "s.example", abuseContact: null, requestIdOf: () => "x" });

const request = new Request("http://s.example/a");
const asked = (acceptLanguage: string): Request =>
  new Request("http://s.example/a", { headers: { "accept-language": acceptLanguage } });

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

  test("while the process drains, every answer asks the client to close the connection", () => {
    const answers = open();
    const all = () => [
      answers.redirect("https://a.example/", "x"),
      answers.notFound(request),
      answers.gone(request),
      answers.blocked({ blocked_reason: null }, request),
      answers.preview({ host: null, slug: "a", title: null, location: "https://a.example/" }, request),
      answers.tooManyMisses(1, request),
      answers.unavailable(request),
      answers.apiUnavailable("x"),
      answers.methodNotAllowed(request),
      answers.targetTooLong(request),
      answers.internalError("x"),
      answers.text(200, "ok", "x"),
    ];
    expect(all().map(({ headers }) => headers.get("connection"))).toEqual(Array(12).fill(null));
    answers.startDraining();
    expect(all().map(({ headers }) => headers.get("connection"))).toEqual(Array(12).fill("close"));
    expect(all().every(({ headers }) => headers.get("x-request-id") === "x")).toBe(true);
  });

  test("every page of a link names its domain with the port that its address has", async () => {
    const answers = new Answers({
      isHttps: false,
      shortDomain: "s.example:8080",
      abuseContact: null,
      requestIdOf: () => "x",
    });
    const preview = { title: "Sale", description: null, image_url: null };
    for (const [host, site] of [
      ["go.acme.example", "go.acme.example:8080"],
      [null, "s.example:8080"],
    ] as const) {
      const card = await answers.card({ host, slug: "a", preview }, request).text();
      expect(card).toContain(`<meta property="og:url" content="http://${site}/a">`);
      const link = { host, slug: "a", title: null, location: "https://a.example/" };
      expect(await answers.preview(link, request).text()).toContain(`<strong>${site}/a</strong>`);
      expect(await answers.passwordForm(200, { host, target: "/a" }, request).text()).toContain(site);
    }
  });

  test("HSTS is sent on https only", () => {
    expect(open(true).notFound(request).headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(open(false).notFound(request).headers.get("strict-transport-security")).toBeNull();
    const redirect = (isHttps: boolean) => open(isHttps).redirect("https://a.example/", "req_test");
    expect(redirect(true).headers.get("strict-transport-security")).toBe("max-age=31536000");
    expect(redirect(false).headers.get("strict-transport-security")).toBeNull();
  });

  test("a refusal says in whole seconds when to retry, and never 0", () => {
    const seconds = (ms: number): string | null => open().tooManyMisses(ms, request).headers.get("retry-after");
    expect([seconds(0.2), seconds(1000), seconds(1001)]).toEqual(["1", "1", "2"]);
  });

  test("a page is in the visitor's language, declares it, and falls back to English", async () => {
    const spoken = async (acceptLanguage: string) => {
      const answer = open().notFound(asked(acceptLanguage));
      expect(answer.headers.get("vary")).toBe("Accept-Language");
      expect(await answer.text()).toContain(`<html lang="${answer.headers.get("content-language")}">`);
      return answer.headers.get("content-language");
    };
    expect(await spoken("ja")).toBe("ja");
    expect(await spoken("de-CH, fr;q=0.8")).toBe("de");
    expect(await spoken("xx, nl;q=0.9, PT-br;q=0.3, es;q=0.2")).toBe("pt");
    expect(await spoken("en;q=0.1, es;q=0.9")).toBe("es");
    expect(await spoken("fr;q=0, *")).toBe("en");
    expect(await spoken(";;q=,,")).toBe("en");
  });
});
