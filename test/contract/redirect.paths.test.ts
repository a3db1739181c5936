import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { newLink } from "#test/support/api-client.ts";
import { startTwoDomains, type TwoDomains } from "#test/support/domain-stage.ts";

const BASE = "https://example.com/base";
const LOST = "https://acme.example/lost";
const OF_INSTANCE = "https://example.org/nothing-here";
const ROOT = "https://example.org/welcome";

describe.each([
  ["the fast lane", "on"],
  ["the HTTP server", "off"],
])("behind %s", (_, fastLane) => {
  let domains: TwoDomains;
  const visit: TwoDomains["visit"] = (...request) => domains.visit(...request);

  beforeAll(async () => {
    domains = await startTwoDomains({
      env: { KURZ_FAST_LANE: fastLane, KURZ_NOT_FOUND_REDIRECT: OF_INSTANCE, KURZ_ROOT_REDIRECT: ROOT },
      addresses: { not_found_redirect_url: LOST, root_redirect_url: `${LOST}/root` },
    });
  });
  afterAll(() => domains?.stage.stop());

  test("what follows the slug is forwarded as it was sent", async () => {
    const { domain, slug } = await newLink(domains.kurz, { destination_url: BASE, forward_path: true });
    for (const path of ["/a", "/a/b/", "/a//b", "/a%20b", "/1/2/3/4/5/6/7/8/9/10", "/a.b/..c"])
      expect([path, await visit(domain, `/${slug}${path}`)]).toEqual([path, `302 ${BASE}${path}`]);
  });

  test("nothing that some parser would resolve to another path is forwarded", async () => {
    const { kurz, led } = domains;
    for (const [host, otherwise] of [
      [undefined, "404 null"],
      [led.name, `302 ${LOST}`],
    ] as const) {
      const link = { destination_url: BASE, forward_path: true, ...(host !== undefined && { domain: host }) };
      const { domain, slug } = await newLink(kurz, link);
      const targets = [
        ...["/a/../b", "/a/..", "/./b", "/a/%2e%2e/b", "/a/.%2E/b", "/a/..%2fb", "/a\\..\\b", "/1/2/3/4/5/6/7/../8"],
        ...["//../b", "/a//../b"],
      ].map((path) => `/${slug}${path}`);
      for (const target of [...targets, `/x/../${slug}/b`, `/./${slug}/b`])
        expect([target, await visit(domain, target)]).toEqual([target, otherwise]);
    }
  });

  test("a domain without addresses of its own answers as the instance does", async () => {
    const { kurz, bare, led } = domains;
    const own = (await newLink(kurz)).domain;
    for (const host of [own, bare.name]) {
      expect([host, await visit(host, "/unknown")]).toEqual([host, `302 ${OF_INSTANCE}`]);
      expect([host, await visit(host, "/unknown/below")]).toEqual([host, "404 null"]);
      expect([host, await visit(host, "/")]).toEqual([host, `302 ${ROOT}`]);
    }
    expect(await visit(led.name, "/unknown")).toBe(`302 ${LOST}`);
    expect(await visit(led.name, "/unknown/below")).toBe(`302 ${LOST}`);
    expect(await visit(led.name, "/")).toBe(`302 ${LOST}/root`);
  });

  test("a dry run says the same", async () => {
    const { kurz, bare, led } = domains;
    for (const domain of [bare.name, led.name]) {
      const link = await newLink(kurz, { domain });
      await kurz.links.pause(link.id);
      for (const path of ["", "/", "/a"]) {
        const { status, location } = await kurz.links.resolve(link.id, path === "" ? {} : { path });
        expect([domain, path, `${status} ${location}`]).toEqual([
          domain,
          path,
          await visit(domain, `/${link.slug}${path}`),
        ]);
      }
    }
    const plain = await newLink(kurz, { destination_url: BASE });
    expect(await kurz.links.resolve(plain.id, { path: "/" })).toMatchObject({ status: 302, location: BASE });
    expect(await visit(plain.domain, `/${plain.slug}/`)).toBe(`302 ${BASE}`);
  });
});
