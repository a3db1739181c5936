import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LinkCreate } from "#sdk/generated.ts";
import { type Api, newLink, startApi } from "#test/support/api-client.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

const SLACK = { "User-Agent": "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)" };
const PERSON = { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0" };
const destination_url = "https://example.com/secret-page";
const preview = { title: 'Tea & "more"', description: "All of June", image_url: "https://example.com/tea.png?a=1&b=2" };

describe.each(["on", "off"])("with the fast lane %s,", (fastLane) => {
  let api: Api;
  beforeAll(async () => {
    api = await startApi({ KURZ_FAST_LANE: fastLane });
  });
  afterAll(() => api.stop());

  test("a card has Open Graph and Twitter tags, and nothing of the destination", async () => {
    const { kurz } = await api.newCaller();
    const { slug, short_url } = await newLink(kurz, { destination_url, preview });
    const { status, location, text } = await visit(api.server, `/${slug}`, { headers: SLACK });
    expect([status, location, text.includes("secret-page")]).toEqual([200, null, false]);
    for (const [attribute, name, content] of [
      ["property", "og:url", short_url],
      ["property", "og:title", "Tea &amp; &quot;more&quot;"],
      ["property", "og:description", "All of June"],
      ["property", "og:image", "https://example.com/tea.png?a=1&amp;b=2"],
      ["name", "twitter:card", "summary_large_image"],
      ["name", "twitter:title", "Tea &amp; &quot;more&quot;"],
      ["name", "twitter:description", "All of June"],
      ["name", "twitter:image", "https://example.com/tea.png?a=1&amp;b=2"],
    ])
      expect(text).toContain(`<meta ${attribute}="${name}" content="${content}">`);
    expect((await visit(api.server, `/${slug}`, { headers: PERSON })).location).toBe(destination_url);
  });

  const guards: readonly [name: string, fields: Partial<LinkCreate>][] = [
    ["a password", { password: "tulip" }],
    ["a limit of clicks", { max_clicks: 1 }],
  ];
  test.each(guards)(
    "a card of a link with %s is no hit: reports say nothing of what nobody opened",
    async (_, fields) => {
      const { kurz } = await api.newCaller();
      const [guarded, plain] = [
        await newLink(kurz, { destination_url, preview, ...fields }),
        await newLink(kurz, { destination_url, preview }),
      ];
      for (const { slug } of [guarded, plain])
        expect((await visit(api.server, `/${slug}`, { headers: SLACK })).text).toContain("og:title");
      const hits = async (id: string) => (await kurz.links.analytics(id)).totals.bot_hits;
      await until("the hit of the plain link is counted", async () => (await hits(plain.id)) === 1);
      expect(await hits(guarded.id)).toBe(0);
    },
  );

  test("a card is a hit of a bot", async () => {
    const { kurz } = await api.newCaller();
    const { id, slug } = await newLink(kurz, { destination_url, preview });
    // The preview page and HEAD are no hits; the card is, as often as it is asked for.
    await visit(api.server, `/${slug}+`, { headers: SLACK });
    await visit(api.server, `/${slug}`, { method: "HEAD", headers: SLACK });
    for (let time = 0; time < 2; time += 1)
      expect((await visit(api.server, `/${slug}`, { headers: SLACK })).text).toContain("og:title");
    const figures = async () => {
      const { totals } = await kurz.links.analytics(id, { include_bots: false });
      return [totals.clicks, totals.bot_hits];
    };
    await until("both hits are counted", async () => (await figures())[1] === 2);
    expect(await figures()).toEqual([0, 2]);
    expect((await kurz.links.get(id)).click_count).toBe(0);
  });
});
