import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { userAgentCorpus } from "#clicks/classify/user-agents.corpus.ts";
import { clickDimensions } from "#contract/analytics.ts";
import { isPreviewBot } from "#redirect/preview-bots.ts";
import type { LinkCreate } from "#sdk/generated.ts";
import { type Api, newLink, startApi } from "#test/support/api-client.ts";
import { untilReported } from "#test/support/clicks.ts";
import { readWithZbar } from "#test/support/qr-decoders.ts";
import { askOnce } from "#test/support/raw-connection.ts";
import type { RawRequest } from "#test/support/raw-message.ts";

/** In everything that only a visitor with the password may see. */
const MARK = "xyzzy";
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0";
const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
const previewBots = userAgentCorpus.split("\n").filter((line) => !line.startsWith("# ") && isPreviewBot(line));

const to = (path: string): string => `https://${MARK}.example/${MARK}/${path}`;
const guarded: Partial<LinkCreate> = {
  destination_url: `${to("page")}?a=${MARK}#${MARK}`,
  title: `About ${MARK}`,
  notes: `Leads to ${MARK}`,
  utm: { utm_source: MARK, utm_campaign: MARK },
  forward_path: true,
  rules: [
    { name: `ios-${MARK}`, when: { os: ["iOS"] }, destination_url: to("ios") },
    {
      name: `german-${MARK}`,
      when: { language: ["de"] },
      split: ["a", "b"].map((name) => ({ name, weight: 1, destination_url: to(name) })),
    },
  ],
  password: "tulip",
};

describe.each([
  ["the fast lane", { KURZ_FAST_LANE: "on" }],
  ["the HTTP server", { KURZ_FAST_LANE: "off" }],
  ["a page before every destination", { KURZ_INTERSTITIAL: "always" }],
] as const)("behind %s", (where, env) => {
  let api: Api;
  beforeAll(async () => {
    // With one redirect process, clicks are reported in the order of the visits.
    api = await startApi({ KURZ_TRUST_PROXY: "1", KURZ_REDIRECT_PROCESSES: "1", ...env });
  });
  afterAll(() => api.stop());

  type Sent = Omit<RawRequest, "headers"> & { readonly headers?: Readonly<Record<string, string>> };

  const ask = ({ headers, ...request }: Sent) =>
    askOnce(api.server.port, {
      ...request,
      headers: Object.entries({ "User-Agent": BROWSER, "X-Forwarded-For": "192.0.2.1", ...headers }),
    });
  const enter = (target: string, password: string, headers: Readonly<Record<string, string>> = {}) =>
    ask({
      method: "POST",
      target,
      headers: { "Content-Type": "application/x-www-form-urlencoded", ...headers },
      body: `password=${password}`,
    });

  /** Head and body as sent; only the visitor's own words may be in it. */
  const wordsOf = async (answer: ReturnType<typeof ask>): Promise<string> => {
    const { status, headers, text } = await answer;
    return `${status} ${JSON.stringify([...headers])} ${text}`;
  };

  test.each([
    ["a password", {}],
    ["a password and a limit of clicks", { max_clicks: 5 }],
    ["a password and a card", { preview: { title: "Party", description: "Tonight", image_url: null } }],
    ["a password and a permanent status", { redirect_status: 301 as const }],
  ])("nothing tells where a link with %s leads before the right one is entered", async (_, fields) => {
    const { kurz } = await api.newCaller();
    const { id, slug, short_url } = await newLink(kurz, { ...guarded, ...fields });
    const path = `/${slug}`;

    const visits: Sent[] = [path, `${path}+`, `${path}?b=1`, `${path}/below`, `${path}/`, path.toUpperCase()].flatMap(
      (target) => [
        { target },
        { target, method: "HEAD" },
        { target, headers: { "User-Agent": IPHONE } },
        { target, headers: { "Accept-Language": "de" } },
        { target, headers: { "User-Agent": previewBots[0] ?? "" } },
        { target, headers: { "Sec-Purpose": "prefetch" } },
      ],
    );
    for (const sent of visits) {
      const words = await wordsOf(ask(sent));
      expect([sent, words.slice(0, 3), words.includes(MARK)]).toEqual([sent, "200", false]);
    }
    const entered = await Promise.all([
      enter(path, "rose"),
      enter(`${path}?b=1`, "rose", { "User-Agent": IPHONE }),
      enter(`${path}/below`, "rose"),
      enter(path, "rose", { "User-Agent": previewBots[0] ?? "" }),
      enter(path, "tulip", { "Content-Type": "text/plain" }),
      enter(path, "x".repeat(10_000)),
    ]);
    expect(entered.map(({ status }) => status)).toEqual([403, 403, 403, 403, 415, 413]);
    for (const answer of entered) expect(await wordsOf(Promise.resolve(answer))).not.toContain(MARK);
    for (let tries = 0; tries < 10; tries += 1) await enter(path, "rose", { "X-Forwarded-For": "192.0.2.2" });
    const limited = await wordsOf(enter(path, "tulip", { "X-Forwarded-For": "192.0.2.2" }));
    expect([limited.slice(0, 3), limited.includes(MARK)]).toEqual(["429", false]);

    for (const format of ["png", "svg"] as const) {
      const picture = await kurz.links.qr(id, { format });
      expect(Buffer.from(picture).toString("latin1")).not.toContain(MARK);
      if (format === "png") expect(await readWithZbar(picture)).toBe(short_url);
    }

    // The first click is the one of the visitor who knew the password; only then reports have something to tell.
    const right = await enter(path, "tulip", { "X-Forwarded-For": "192.0.2.3" });
    expect(right.status).toBe(where === "a page before every destination" ? 200 : 303);
    expect(await wordsOf(Promise.resolve(right))).toContain(`${to("page")}?a=${MARK}`);
    await untilReported(kurz, 1);
    const group_by = [...clickDimensions];
    const { totals, breakdowns } = await kurz.links.analytics(id, { interval: "24h", include_bots: true, group_by });
    expect(totals.clicks).toBe(1);
    expect(breakdowns.utm_source?.items).toMatchObject([{ key: MARK, clicks: 1 }]);
  });

  test("reports say nothing about a link whose password nobody has entered", async () => {
    const { kurz } = await api.newCaller();
    const [{ id, slug }, other] = [await newLink(kurz, guarded), await newLink(kurz)];
    for (const userAgent of [BROWSER, IPHONE, previewBots[0] ?? ""]) {
      await ask({ target: `/${slug}`, headers: { "User-Agent": userAgent } });
      await enter(`/${slug}`, "rose", { "User-Agent": userAgent });
    }
    await ask({ target: `/${other.slug}` });
    await untilReported(kurz, 1);
    const query = { interval: "24h", include_bots: true, group_by: [...clickDimensions] } as const;
    const ofLink = await kurz.links.analytics(id, query);
    expect(ofLink.totals.clicks).toBe(0);
    expect(JSON.stringify([ofLink, await kurz.analytics.get(query)])).not.toContain(MARK);
    expect((await kurz.links.get(id)).click_count).toBe(0);
  });

  test("programs that preview links use nothing up, whatever their name", async () => {
    const { kurz } = await api.newCaller();
    const { id, slug } = await newLink(kurz, { destination_url: to("once"), max_clicks: 1 });
    expect(previewBots.length).toBeGreaterThanOrEqual(25);
    const visits = previewBots.flatMap((userAgent) =>
      ["GET", "HEAD"].map((method) => ({ method, target: `/${slug}`, headers: { "User-Agent": userAgent } })),
    );
    for (const sent of visits) {
      const words = await wordsOf(ask(sent));
      expect([sent, words.slice(0, 3), words.includes(MARK)]).toEqual([sent, "200", false]);
    }
    expect((await kurz.links.get(id)).exhausted).toBe(false);
    expect(await wordsOf(ask({ target: `/${slug}` }))).toContain(to("once"));
    expect((await kurz.links.get(id)).exhausted).toBe(true);
    expect((await ask({ target: `/${slug}`, headers: { "User-Agent": previewBots[0] ?? "" } })).status).toBe(410);
  });
});
