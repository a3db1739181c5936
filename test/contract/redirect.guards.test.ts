import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, newLink, startApi } from "#test/support/api-client.ts";
import { until } from "#test/support/until.ts";
import { type Visit, type VisitOptions, visit } from "#test/support/visit.ts";

const BROWSER = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" };
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const SECRET = "https://example.com/secret-page";

describe.each([
  ["the fast lane", "on"],
  ["the HTTP server", "off"],
])("behind %s", (_, fastLane) => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ KURZ_FAST_LANE: fastLane, KURZ_TRUST_PROXY: "1" });
  });
  afterAll(() => api.stop());

  const open = (path: string, { headers, ...options }: VisitOptions = {}): Promise<Visit> =>
    visit(api.server, path, { ...options, headers: { ...BROWSER, ...headers } });

  const post = async (path: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(api.server.url + path, {
      method: "POST",
      headers: { ...BROWSER, ...FORM, ...headers },
      body,
      redirect: "manual",
    });
    return { status: response.status, headers: response.headers, text: await response.text() };
  };
  const enter = (path: string, password: string, network = "192.0.2.1") =>
    post(path, `password=${encodeURIComponent(password)}`, { "X-Forwarded-For": network });

  const shows = ({ headers, text }: Pick<Visit, "headers" | "text">): boolean =>
    (JSON.stringify([...headers]) + text).includes("secret-page");

  describe("a link with a password", () => {
    test("answers with a form that says nothing about where it leads", async () => {
      const { kurz } = await api.newCaller();
      const preview = { title: "Party", description: null, image_url: null };
      const { slug } = await newLink(kurz, { destination_url: SECRET, title: "Sesame", password: "tulip", preview });
      for (const path of [`/${slug}`, `/${slug}`, `/${slug}+`, `/${slug.toUpperCase()}/`, `/${slug}?a=1`]) {
        const answer = await open(path);
        expect([answer.status, answer.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
        expect(answer.text).toContain('<form method="post"');
        expect(answer.text).not.toContain("Sesame");
        expect(shows(answer)).toBe(false);
      }
      expect((await open(`/${slug}`, { headers: { "Accept-Language": "de" } })).text).toContain("Passwort");
      const head = await open(`/${slug}`, { method: "HEAD" });
      expect([head.status, head.location]).toEqual([200, null]);
      const bot = await open(`/${slug}`, { headers: { "User-Agent": "Slackbot-LinkExpanding 1.0" } });
      expect([bot.status, bot.text.includes("Party"), shows(bot)]).toEqual([200, true, false]);
    });

    test("redirects with the right one, to where a plain visit leads, and counts the click", async () => {
      const { kurz } = await api.newCaller();
      const { id, slug } = await newLink(kurz, {
        destination_url: SECRET,
        password: "tülip & co",
        utm: { utm_source: "mail" },
        redirect_status: 308,
      });
      const right = await enter(`/${slug}?a=1`, "tülip & co");
      expect([right.status, right.headers.get("Location")]).toEqual([303, `${SECRET}?utm_source=mail&a=1`]);
      expect([right.headers.get("Cache-Control"), right.headers.get("Set-Cookie")]).toEqual([
        "private, no-store",
        null,
      ]);
      await until("the click is counted", async () => (await kurz.links.get(id)).click_count === 1);
      const wrong = await enter(`/${slug}?a=1`, "tülip");
      expect([wrong.status, shows(wrong)]).toEqual([403, false]);
      expect(wrong.text).toContain('role="alert"');
      expect(wrong.text).toContain(`action="/${slug}?a=1"`);
      expect((await kurz.links.get(id)).click_count).toBe(1);
    });

    test("has no referrer in its clicks and rules but a page elsewhere, as the form is on its own host", async () => {
      const { kurz } = await api.newCaller();
      const rules = [
        { name: "own", when: { referrer: ["acme.example"] }, destination_url: "https://example.com/own" },
        { name: "news", when: { referrer: ["news.example"] }, destination_url: "https://example.com/news" },
      ];
      const { id, slug } = await newLink(kurz, { destination_url: SECRET, password: "tulip", rules });
      const comeFrom = async (Referer: string) => {
        const answer = await post(`/${slug}`, "password=tulip", { Host: "go.acme.example", Referer });
        return answer.headers.get("Location");
      };
      expect(await comeFrom(`https://go.acme.example/${slug}`)).toBe(SECRET);
      expect(await comeFrom("https://www.acme.example/intranet")).toBe("https://example.com/own");
      expect(await comeFrom("https://news.example/")).toBe("https://example.com/news");
      await until("the clicks are reported", async () => {
        const { totals, breakdowns } = await kurz.links.analytics(id, { interval: "24h", group_by: ["referrer"] });
        if (totals.clicks < 3) return false;
        const referrers = breakdowns.referrer?.items.map(({ key }) => key) ?? [];
        expect(new Set(referrers)).toEqual(new Set([null, "www.acme.example", "news.example"]));
        return true;
      });
    });

    test("loses it, or gets another, at once", async () => {
      const { kurz } = await api.newCaller();
      const { id, slug } = await newLink(kurz, { destination_url: SECRET, password: "tulip" });
      expect((await enter(`/${slug}`, "tulip")).status).toBe(303);
      await kurz.links.update(id, { password: "rose" });
      expect((await enter(`/${slug}`, "tulip")).status).toBe(403);
      await kurz.links.update(id, { password: null });
      expect((await open(`/${slug}`)).location).toBe(SECRET);
      expect((await enter(`/${slug}`, "rose")).status).toBe(405);
      await kurz.links.update(id, { password: "rose" });
      expect((await open(`/${slug}`)).status).toBe(200);
      await kurz.links.pause(id);
      expect([(await open(`/${slug}`)).status, (await enter(`/${slug}`, "rose")).status]).toEqual([404, 405]);
    });

    test("may be tried ten times from one network", async () => {
      const { kurz } = await api.newCaller();
      const { slug } = await newLink(kurz, { destination_url: SECRET, password: "tulip" });
      for (let tries = 0; tries < 10; tries += 1) expect((await enter(`/${slug}`, "wrong")).status).toBe(403);
      const refused = await enter(`/${slug}`, "tulip");
      expect([refused.status, shows(refused)]).toEqual([429, false]);
      const seconds = Number(refused.headers.get("Retry-After"));
      expect(seconds > 0 && seconds <= 600).toBe(true);
      expect((await enter(`/${slug}`, "tulip", "192.0.2.2")).status).toBe(303);
    });

    test("has POST among its methods, as long as it asks for the password", async () => {
      const { kurz } = await api.newCaller();
      const guarded = await newLink(kurz, { destination_url: SECRET, password: "tulip" });
      const plain = await newLink(kurz);
      const allowed = async (slug: string) => {
        const answers = await Promise.all(["PUT", "DELETE", "OPTIONS"].map((method) => open(`/${slug}`, { method })));
        // The page names no methods, as they differ.
        for (const { text } of answers) expect(text).not.toMatch(/GET|HEAD|POST/);
        return answers.map(({ status, headers }) => `${status} ${headers.get("Allow")}`);
      };
      for (let times = 0; times < 2; times += 1) {
        expect(await allowed(guarded.slug)).toEqual(Array(3).fill("405 GET, HEAD, POST"));
        for (const { slug } of [plain, { slug: "nosuch" }]) {
          expect(await allowed(slug)).toEqual(Array(3).fill("405 GET, HEAD"));
        }
      }
      // It looks like one that doesn't exist.
      await kurz.links.pause(guarded.id);
      expect(await allowed(guarded.slug)).toEqual(Array(3).fill("405 GET, HEAD"));
    });

    test("takes a small form and nothing else", async () => {
      const { kurz } = await api.newCaller();
      const { slug } = await newLink(kurz, { destination_url: SECRET, password: "tulip" });
      const statusOf = async (body: string, headers?: Record<string, string>) =>
        (await post(`/${slug}`, body, headers)).status;
      expect(await statusOf(`a=${"x".repeat(4000)}&password=tulip`)).toBe(303);
      expect(await statusOf(`a=${"x".repeat(5000)}&password=tulip`)).toBe(413);
      expect(await statusOf('{"password":"tulip"}', { "Content-Type": "application/json" })).toBe(415);
      expect([await statusOf(""), await statusOf("x=1"), await statusOf("password=")]).toEqual([403, 403, 403]);
      expect((await post(`/${slug}/below`, "password=tulip")).status).toBe(405);
    });
  });

  describe("a link with a limit of clicks", () => {
    test("is used up by people only, and then answers as an expired one", async () => {
      const { kurz } = await api.newCaller();
      const { id, slug } = await newLink(kurz, { destination_url: SECRET, max_clicks: 2, redirect_status: 301 });
      const robots: readonly VisitOptions[] = [
        { method: "HEAD" },
        { headers: { "User-Agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" } },
        { headers: { "User-Agent": "curl/8.5.0" } },
        { headers: { "Sec-Purpose": "prefetch;prerender" } },
        { headers: { Purpose: "prefetch" } },
      ];
      for (const options of robots) {
        const answer = await open(`/${slug}`, options);
        expect([answer.status, answer.location, shows(answer)]).toEqual([200, null, false]);
      }
      expect(shows(await open(`/${slug}+`))).toBe(false);
      expect((await post(`/${slug}`, "password=x")).status).toBe(405);
      const first = await open(`/${slug}?a=1`);
      expect([first.status, first.location]).toEqual([302, `${SECRET}?a=1`]);
      expect(first.headers.get("Cache-Control")).toBe("private, no-store");
      expect((await kurz.links.get(id)).exhausted).toBe(false);
      expect((await open(`/${slug}`)).status).toBe(302);
      for (let times = 0; times < 3; times += 1) {
        const answer = await open(`/${slug}`);
        expect([answer.status, shows(answer)]).toEqual([410, false]);
      }
      expect((await kurz.links.get(id)).exhausted).toBe(true);
      await until("both clicks are counted", async () => (await kurz.links.get(id)).click_count === 2);
      expect((await post(`/${slug}`, "password=x")).status).toBe(405);
    });

    test("leads to its address after expiry once it is used up, and opens again when the limit is raised", async () => {
      const { kurz } = await api.newCaller();
      const over = "https://example.com/over";
      const { id, slug } = await newLink(kurz, { destination_url: SECRET, max_clicks: 1, expired_url: over });
      const leads = async () => (await open(`/${slug}`)).location;
      expect([await leads(), await leads(), await leads()]).toEqual([SECRET, over, over]);
      await kurz.links.update(id, { max_clicks: 2 });
      expect([await leads(), await leads()]).toEqual([SECRET, over]);
      await kurz.links.update(id, { max_clicks: null });
      expect([await leads(), await leads()]).toEqual([SECRET, SECRET]);
    });

    test("and a password is only used up with the right one", async () => {
      const { kurz } = await api.newCaller();
      const { slug } = await newLink(kurz, { destination_url: SECRET, max_clicks: 1, password: "tulip" });
      expect((await open(`/${slug}`)).status).toBe(200);
      expect((await enter(`/${slug}`, "rose")).status).toBe(403);
      for (const [password, status] of [
        ["rose", 403],
        ["tulip", 200],
      ]) {
        const bot = await post(`/${slug}`, `password=${password}`, { "User-Agent": "curl/8.5.0" });
        expect([password, bot.status, shows(bot)]).toEqual([password, status, false]);
      }
      expect((await enter(`/${slug}`, "tulip")).status).toBe(303);
      expect((await enter(`/${slug}`, "tulip")).status).toBe(410);
      expect((await open(`/${slug}`)).status).toBe(410);
    });

    test("is over for everyone, also where nobody has asked since it was used up", async () => {
      const { kurz } = await api.newCaller();
      const robot = { "User-Agent": "curl/8.5.0" };
      for (const password of ["tulip", null]) {
        const { id, slug } = await newLink(kurz, { destination_url: SECRET, max_clicks: 1, password });
        const used = password === null ? await open(`/${slug}`) : await enter(`/${slug}`, password);
        expect(used.status).toBe(password === null ? 302 : 303);
        for (const [title, path, options] of [
          ["a visit", `/${slug}`, {}],
          ["a preview", `/${slug}+`, {}],
          ["a robot", `/${slug}`, { headers: robot }],
          ["HEAD", `/${slug}`, { method: "HEAD" }],
        ] as const) {
          /** A changed link is read again, as by a process that doesn't know it yet. */
          const firstStatus = async (): Promise<number> => {
            await kurz.links.update(id, { title: `${title} ${crypto.randomUUID()}` });
            return (await open(path, options)).status;
          };
          if (title === "a visit") expect(await firstStatus()).toBe(410);
          // These show the page if control doesn't say in time that the link is used up.
          else await until(`${title} gets 410 at first`, async () => (await firstStatus()) === 410);
        }
      }
    });

    test("lets exactly as many of a crowd through", async () => {
      const { kurz } = await api.newCaller();
      const { id, slug } = await newLink(kurz, { destination_url: SECRET, max_clicks: 5 });
      const answers = await Promise.all(Array.from({ length: 100 }, () => open(`/${slug}`)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 302)).toHaveLength(5);
      expect(statuses.filter((status) => status === 410)).toHaveLength(95);
      await until("the clicks are counted", async () => (await kurz.links.get(id)).click_count === 5);
    });
  });
});
