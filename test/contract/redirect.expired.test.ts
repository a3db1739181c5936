import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { LinkCreate } from "#sdk/generated.ts";
import { newLink } from "#test/support/api-client.ts";
import { startTwoDomains, type TwoDomains } from "#test/support/domain-stage.ts";
import { expiringSoon } from "#test/support/expiring.ts";
import { until } from "#test/support/until.ts";

const OF_LINK = "https://example.com/link-is-over?x=1#top";
const OF_DOMAIN = "https://acme.example/domain-says-over";
const EXPIRES_MS_MIN = 1000;
const GONE = "410 null";

describe.each([
  ["the fast lane", "on"],
  ["the HTTP server", "off"],
])("behind %s", (_, fastLane) => {
  let domains: TwoDomains;
  const ask: TwoDomains["ask"] = (...request) => domains.ask(...request);
  const visit: TwoDomains["visit"] = (...request) => domains.visit(...request);

  beforeAll(async () => {
    domains = await startTwoDomains({
      env: { KURZ_FAST_LANE: fastLane },
      addresses: { expired_redirect_url: OF_DOMAIN },
    });
  });
  afterAll(() => domains?.stage.stop());

  /** Links with these fields: on the instance's own domain, on one without addresses, and on one with them. */
  const onEach = async (fields: Partial<LinkCreate>) => {
    const { kurz, bare, led } = domains;
    const own = await newLink(kurz, fields);
    return [
      own,
      await newLink(kurz, { ...fields, domain: bare.name }),
      await newLink(kurz, { ...fields, domain: led.name }),
    ];
  };
  const visitEach = (links: readonly { readonly domain: string; readonly slug: string }[]) =>
    Promise.all(links.map(({ domain, slug }) => visit(domain, `/${slug}`)));

  test("an expired link leads to its own address, else to its domain's, else nowhere", async () => {
    const { kurz, led } = domains;
    const plain = await onEach({});
    const addressed = await onEach({ expired_url: OF_LINK, redirect_status: 308 });
    for (const { id } of [...plain, ...addressed]) {
      await expiringSoon((expires_at) => kurz.links.update(id, { expires_at }), EXPIRES_MS_MIN);
    }
    const isExpired = async ({ id }: { id: string }) => (await kurz.links.get(id)).expired;
    await until("they expire", async () => (await Promise.all([...plain, ...addressed].map(isExpired))).every(Boolean));
    for (let times = 0; times < 3; times += 1) {
      expect(await visitEach(plain)).toEqual([GONE, GONE, `302 ${OF_DOMAIN}`]);
      expect(await visitEach(addressed)).toEqual([`302 ${OF_LINK}`, `302 ${OF_LINK}`, `302 ${OF_LINK}`]);
    }

    const [, , onLed] = plain;
    const path = `/${onLed?.slug}`;
    const answer = await ask(led.name, path);
    expect([answer.text, answer.headers.get("Cache-Control")]).toEqual(["", "private, no-store"]);
    // The visitor's query and method change nothing. A preview shows the address, and leads nowhere.
    expect(await visit(led.name, `${path}?a=1`)).toBe(`302 ${OF_DOMAIN}`);
    expect(await visit(led.name, path, "HEAD")).toBe(`302 ${OF_DOMAIN}`);
    expect(await visit(led.name, `${path}+`)).toBe("200 null");
    expect((await ask(led.name, `${path}+`)).text).toContain(`href="${OF_DOMAIN}"`);
    expect(await visit(led.name, path, "POST")).toBe("405 null");
    // Links that end otherwise stay as they are.
    await kurz.links.archive(onLed?.id ?? "");
    expect(await visit(led.name, path)).toBe(GONE);
    await kurz.links.delete(onLed?.id ?? "");
    expect(await visit(led.name, path)).toBe(GONE);
    expect(await visit(led.name, "/nosuch")).toBe("404 null");
  });

  test("so does one that is used up", async () => {
    const used = `302 https://example.com/`;
    const plain = await onEach({ max_clicks: 1 });
    const addressed = await onEach({ max_clicks: 1, expired_url: OF_LINK });
    for (const links of [plain, addressed]) expect(await visitEach(links)).toEqual([used, used, used]);
    for (let times = 0; times < 3; times += 1) {
      expect(await visitEach(plain)).toEqual([GONE, GONE, `302 ${OF_DOMAIN}`]);
      expect(await visitEach(addressed)).toEqual([`302 ${OF_LINK}`, `302 ${OF_LINK}`, `302 ${OF_LINK}`]);
    }
    // A process that doesn't know it yet asks for a second, and shows the page for a limit if the answer is late.
    for (const { domain, slug } of addressed) {
      await until("the preview shows the address", async () => {
        const { status, headers, text } = await ask(domain, `/${slug}+`);
        expect([status, headers.get("Location")]).toEqual([200, null]);
        return text.includes(`href="${OF_LINK}"`);
      });
    }
  });

  test("an address counts from the next visit on, and no longer once it is removed", async () => {
    const { stage, kurz } = domains;
    const { id, name } = await stage.verified(kurz);
    const link = await newLink(kurz, { domain: name, max_clicks: 1 });
    const next = () => visit(name, `/${link.slug}`);
    expect([await next(), await next()]).toEqual(["302 https://example.com/", GONE]);
    await kurz.domains.update(id, { expired_redirect_url: OF_DOMAIN });
    expect(await next()).toBe(`302 ${OF_DOMAIN}`);
    await kurz.links.update(link.id, { expired_url: OF_LINK });
    expect(await next()).toBe(`302 ${OF_LINK}`);
    await kurz.links.update(link.id, { expired_url: null });
    expect(await next()).toBe(`302 ${OF_DOMAIN}`);
    await kurz.domains.update(id, { expired_redirect_url: null });
    expect(await next()).toBe(GONE);
  });
});
