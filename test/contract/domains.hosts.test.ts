import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Kurz } from "#sdk/client.ts";
import type { Link } from "#sdk/generated.ts";
import { newLink } from "#test/support/api-client.ts";
import { click, untilReported } from "#test/support/clicks.ts";
import { type DomainStage, newName, startDomainStage } from "#test/support/domain-stage.ts";
import { freePort } from "#test/support/free-port.ts";

const apple = { applinks: { details: [{ appIDs: ["ABCDE12345.example.app"], components: [{ "/": "/buy/*" }] }] } };
const assetlinks = [
  { relation: ["delegate_permission/common.handle_all_urls"], target: { namespace: "android_app", package_name: "x" } },
];

describe.each(["on", "off"])("with the fast lane %s,", (fastLane) => {
  let stage: DomainStage;
  let kurz: Kurz;
  let account: string;
  let metrics: string;

  beforeAll(async () => {
    metrics = `127.0.0.1:${freePort()}`;
    stage = await startDomainStage({ KURZ_FAST_LANE: fastLane, KURZ_METRICS_ADDR: metrics });
    ({ kurz, account } = await stage.api.newCaller());
  });
  afterAll(() => stage.stop());

  test("a verified host serves its links, on any port and in any case, and nothing of the API", async () => {
    const { name } = await stage.verified(kurz);
    await newLink(kurz, { domain: name, slug: "here" });
    await newLink(kurz, { slug: "elsewhere" });
    for (const host of [name, name.toUpperCase(), `${name}:8443`]) {
      for (let visit = 0; visit < 3; visit += 1) expect((await stage.ask(host, "/here")).status).toBe(302);
    }
    expect((await stage.ask(name, "/elsewhere")).status).toBe(404);
    for (const path of ["/api/v1/me", "/console", "/docs", "/healthz"]) {
      expect([path, (await stage.ask(name, path)).status]).toEqual([path, 404]);
    }
  });

  test("a page on a host is no referrer of its links, in clicks, rules and dry runs", async () => {
    const { kurz } = await stage.api.newCaller();
    const { name } = await stage.verified(kurz);
    const rules = [{ name: "own", when: { referrer: ["acme.example"] }, destination_url: "https://example.com/own" }];
    const plain = await newLink(kurz, { domain: name });
    const ruled = await newLink(kurz, { domain: name, rules });
    const pages = [`https://${name}/abc+`, "https://www.acme.example/"];
    const leads = ["https://example.com/", "https://example.com/own"];
    // Once it is cached, the fast lane answers.
    for (let times = 0; times < 3; times += 1) {
      for (const [index, Referer] of pages.entries()) {
        const comeFrom = async (link: Pick<Link, "slug">) =>
          (await click(stage.api.server, link, { headers: { Host: name, Referer } })).location;
        expect([await comeFrom(plain), await comeFrom(ruled)]).toEqual(["https://example.com/", leads[index] ?? ""]);
        expect((await kurz.links.resolve(ruled.id, { referrer: Referer })).location).toBe(leads[index] ?? "");
      }
    }
    await untilReported(kurz, 12);
    for (const { id } of [plain, ruled]) {
      const { breakdowns } = await kurz.links.analytics(id, { interval: "24h", group_by: ["referrer"] });
      const referrers = breakdowns.referrer?.items.map(({ key, clicks }) => `${key} ${clicks}`);
      expect(referrers?.toSorted()).toEqual(["null 3", "www.acme.example 3"]);
    }
  });

  test("a verified host has rules for robots, and no icon instead of a page about it", async () => {
    const { id, name } = await stage.verified(kurz);
    await kurz.domains.update(id, { not_found_redirect_url: "https://acme.example/lost" });
    const robots = await stage.ask(name, "/robots.txt");
    expect([robots.status, robots.text]).toEqual([200, "User-agent: *\nDisallow:\n"]);
    for (const method of ["GET", "HEAD"]) {
      const { status, text, headers } = await stage.ask(name, "/favicon.ico", method);
      expect([status, text, headers.get("Cache-Control")]).toEqual([204, "", "public, max-age=86400"]);
    }
    expect((await stage.ask(name, "/favicon.ico", "POST")).status).toBe(405);
    expect((await stage.ask("unknown.example", "/favicon.ico")).status).toBe(404);
  });

  test("addresses of the domain lead visitors of / and of unknown links as soon as they are set", async () => {
    const { id, name } = await stage.verified(kurz);
    const locationOf = async (path: string) => (await stage.ask(name, path)).headers.get("Location");
    expect((await stage.ask(name, "/nothing")).status).toBe(404);
    await kurz.domains.update(id, {
      root_redirect_url: "https://acme.example/root",
      not_found_redirect_url: "https://acme.example/lost",
    });
    expect(await locationOf("/")).toBe("https://acme.example/root");
    expect(await locationOf("/nothing")).toBe("https://acme.example/lost");
  });

  test("what only the instance serves leads where unknown links do, and nowhere but by GET and HEAD", async () => {
    const { id, name } = await stage.verified(kurz);
    await kurz.domains.update(id, { not_found_redirect_url: "https://acme.example/lost" });
    const served = ["/console", "/console/links", "/api", "/api/v1/me", "/docs", "/healthz", "/readyz"];
    for (const path of [...served, "/api/a%2f..%2fb", "/docs/a%2f..%2fb", "/console/a%2f..%2fb"]) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers } = await stage.ask(name, path, method);
        expect([path, status, headers.get("Location")]).toEqual([path, 302, "https://acme.example/lost"]);
      }
    }
    expect((await stage.ask(name, "/api/v1/links", "POST")).status).toBe(404);
  });

  test("pages on a domain name it, and no other host", async () => {
    const { name } = await stage.verified(kurz);
    const instance = (await newLink(kurz)).domain;
    const archived = await newLink(kurz, { domain: name, slug: "over" });
    await kurz.links.archive(archived.id);
    await newLink(kurz, { domain: name, slug: "here" });
    for (const [path, method, status] of [
      ["/nothing", "GET", 404],
      ["/console", "GET", 404],
      ["/api/v1/links", "POST", 404],
      ["/over", "GET", 410],
      ["/here", "DELETE", 405],
      [`/${"x".repeat(9000)}`, "GET", 414],
    ] as const) {
      const answer = await stage.ask(name, path, method);
      const site = name + instance.replace(/^[^:]*/, "");
      expect([path.slice(0, 20), answer.status]).toEqual([path.slice(0, 20), status]);
      expect(answer.text).toContain(`<footer>${site}</footer>`);
      expect(answer.text).not.toContain(instance);
    }
    expect((await stage.ask("unknown.example", "/nothing")).text).toContain(`<footer>${instance}</footer>`);
  });

  test("documents for apps are served on their domain alone", async () => {
    const { id, name } = await stage.verified(kurz);
    const paths = ["/.well-known/apple-app-site-association", "/.well-known/assetlinks.json"];
    for (const path of paths) expect((await stage.ask(name, path)).status).toBe(404);
    const app_links = { apple_app_site_association: apple, assetlinks };
    expect((await kurz.domains.update(id, { app_links })).app_links).toEqual(app_links);
    for (const [index, path] of paths.entries()) {
      const answer = await stage.ask(name, path);
      expect([answer.status, answer.headers.get("Content-Type")]).toEqual([200, "application/json"]);
      expect(JSON.parse(answer.text)).toEqual([apple, assetlinks][index] as object);
      expect((await stage.ask("unknown.example", path)).status).toBe(404);
    }
    await kurz.domains.update(id, { app_links: { assetlinks: null } });
    expect((await kurz.domains.get(id)).app_links).toEqual({ ...app_links, assetlinks: null });
  });

  test("a proxy may get certificates for verified names and the instance's own", async () => {
    const statusOf = async (name: string) =>
      (await fetch(`http://${metrics}/tls-check?domain=${encodeURIComponent(name)}`)).status;
    const { name } = await stage.verified(kurz);
    const pending = await kurz.domains.create({ name: newName() });
    expect(await statusOf(name)).toBe(200);
    expect(await statusOf((await newLink(kurz)).domain.replace(/:\d+$/, ""))).toBe(200);
    expect(await statusOf(pending.name)).toBe(404);
    expect(await statusOf("")).toBe(404);
    expect((await stage.ask("127.0.0.1", `/tls-check?domain=${name}`)).status).toBe(404);
  });

  test("the operator lists, adds, verifies and removes domains", async () => {
    const run = async (...args: string[]) => {
      const { code, stdout, stderr } = await stage.api.server.kurz(["domains", ...args]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      return stdout;
    };
    const [vouched, proven] = [newName(), newName()];
    expect(await run("add", "--account", account, "--name", vouched, "--verified")).toContain("verified");
    await newLink(kurz, { domain: vouched, slug: "x" });
    expect((await stage.ask(vouched, "/x")).status).toBe(302);
    expect(await run("add", "--account", account, "--name", proven)).toContain(`_kurz.${proven} TXT "kurz-verify=`);
    const [domain] = (await kurz.domains.list({ name: proven })).data;
    if (!domain) throw new Error("the domain isn't listed");
    expect(await run("verify", domain.id)).toContain("is pending. There is no TXT record");
    stage.prove(domain);
    expect(await run("verify", domain.id)).toContain("is verified.");
    expect(await run("list", "--account", account)).toContain(proven);
    await run("remove", domain.id);
    expect((await kurz.domains.list({ name: proven })).data).toEqual([]);
  });
});
