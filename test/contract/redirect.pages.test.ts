import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import CachePolicy from "http-cache-semantics";
import type { Kurz } from "#sdk/client.ts";
import type { Link, LinkCreate } from "#sdk/generated.ts";
import { type Api, newLink, startApi } from "#test/support/api-client.ts";
import { expiringSoon } from "#test/support/expiring.ts";
import { until } from "#test/support/until.ts";
import { type Visit, visit } from "#test/support/visit.ts";

const ABUSE = "abuse@operator.example";

let api: Api;
let kurz: Kurz;

beforeAll(async () => {
  api = await startApi({ KURZ_ABUSE_CONTACT: ABUSE });
  ({ kurz } = await api.newCaller());
});
afterAll(() => api.stop());

const headingOf = ({ text }: Visit): string => /<h1>(.*?)<\/h1>/s.exec(text)?.[1] ?? "";
const MISSING = "This link does not exist";
const GONE = "This link is no longer available";
const BLOCKED = "This link is blocked";

/** The elements of a page with the names of their attributes, which no title or address may change. */
function structureOf(page: string): string[] {
  const elements: string[] = [];
  const note = (element: HTMLRewriterTypes.Element) => {
    elements.push(`${element.tagName} ${[...element.attributes].map(([name]) => name).join(" ")}`);
  };
  new HTMLRewriter().on("*", { element: note }).transform(page);
  return elements;
}

/** What a page shows, with its character references resolved. */
const textOf = (page: string): string =>
  page
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll(/&(?:#39|#x27|apos);/g, "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");

const block = async ({ id }: Link): Promise<void> => {
  expect((await api.server.kurz(["links", "block", id, "--reason", "phishing"])).code).toBe(0);
};

interface Step {
  readonly expires?: true;
  readonly pause?: true;
  readonly archive?: true;
  readonly block?: true;
  readonly delete?: true;
}

/** A link after all of these steps. */
async function linkAfter(step: Step): Promise<Link> {
  const create = (expiry: Partial<LinkCreate>) =>
    newLink(kurz, { destination_url: "https://secret-destination.example/", ...expiry });
  const link = await (step.expires ? expiringSoon((expires_at) => create({ expires_at })) : create({}));
  if (step.pause) await kurz.links.pause(link.id);
  if (step.archive) await kurz.links.archive(link.id);
  if (step.block) await block(link);
  if (step.expires) await until("the link expires", async () => (await kurz.links.get(link.id)).expired);
  if (step.delete) await kurz.links.delete(link.id);
  return link;
}

/** Deleted before blocked before archived before expired before paused before active. */
const precedence: readonly (readonly [name: string, step: Step, status: number, heading: string])[] = [
  ["paused", { pause: true }, 404, MISSING],
  ["expired", { expires: true }, 410, GONE],
  ["archived", { archive: true }, 410, GONE],
  ["blocked", { block: true }, 410, BLOCKED],
  ["deleted", { delete: true }, 410, GONE],
  ["expired and paused", { expires: true, pause: true }, 410, GONE],
  ["archived and paused", { archive: true, pause: true }, 410, GONE],
  ["archived and expired", { archive: true, expires: true }, 410, GONE],
  ["blocked and paused", { block: true, pause: true }, 410, BLOCKED],
  ["blocked and expired", { block: true, expires: true }, 410, BLOCKED],
  ["blocked and archived", { block: true, archive: true }, 410, BLOCKED],
  ["deleted and blocked", { delete: true, block: true }, 410, GONE],
  ["deleted and paused", { delete: true, pause: true }, 410, GONE],
];

describe("a link that doesn't redirect", () => {
  test.each(precedence)("%s: its page and its preview say so", async (_, step, status, heading) => {
    const { slug } = await linkAfter(step);
    for (const path of [`/${slug}`, `/${slug}?qr=1`, `/${slug}+`, `/${slug}/`, `/${slug}%2B`]) {
      const page = await visit(api.server, path);
      expect([path, page.status, headingOf(page)]).toEqual([path, status, heading]);
      expect(page.location).toBeNull();
      expect(page.text).not.toContain("secret-destination");
      const head = await visit(api.server, path, { method: "HEAD" });
      expect([head.status, head.text]).toEqual([status, ""]);
    }
  });

  test("looks like one that never existed if it is paused", async () => {
    const { slug } = await linkAfter({ pause: true });
    const lasting = ({ status, text, headers }: Visit) => ({
      status,
      text,
      headers: Object.fromEntries([...headers].filter(([name]) => name !== "date" && name !== "x-request-id")),
    });
    expect(lasting(await visit(api.server, `/${slug}`))).toEqual(lasting(await visit(api.server, "/never-was")));
  });

  test("says why it is blocked and whom to contact, but not its destination", async () => {
    const { slug } = await linkAfter({ block: true });
    const { text } = await visit(api.server, `/${slug}`);
    expect(text).toContain("phishing");
    expect(text).toContain(ABUSE);
    expect(text).not.toContain("secret-destination");
  });

  test("expires on time, even if it was visited before", async () => {
    const createAndVisit = async (ms: number): Promise<Link> => {
      const link = await expiringSoon((expires_at) => newLink(kurz, { expires_at }), ms);
      const { status } = await visit(api.server, `/${link.slug}`);
      // A busy machine may take until then.
      if (hasExpired(link)) return createAndVisit(2 * ms);
      expect(status).toBe(302);
      return link;
    };
    const hasExpired = ({ expires_at }: Link) => Date.now() >= Date.parse(expires_at ?? "");
    const link = await createAndVisit(4000);
    await until("the link expires", () => hasExpired(link));
    expect((await visit(api.server, `/${link.slug}`)).status).toBe(410);
  });
});

describe("the preview", () => {
  test("shows the title and the destination, and never redirects by itself", async () => {
    const link = await newLink(kurz, {
      title: "Spring & sale",
      destination_url: "https://bücher.example/ü?a=1&b=2",
      utm: { utm_source: "x" },
    });
    const page = await visit(api.server, `/${link.slug}+`);
    const location = "https://xn--bcher-kva.example/%C3%BC?a=1&amp;b=2&amp;utm_source=x";
    expect(page.status).toBe(200);
    expect(page.text).toContain("Spring &amp; sale");
    expect(page.text).toContain(`href="${location}"`);
    expect(page.text.replaceAll(/<\/?strong>/g, "")).toContain(`>${location}<`);
    expect(page.text).toContain(ABUSE);
    expect(page.text).not.toMatch(/http-equiv|<script|onload/i);
    expect((await visit(api.server, `/${link.slug.toUpperCase()}+`)).status).toBe(200);
  });

  test.each([
    ["<script>alert(1)</script>"],
    ['"><img src=x onerror=alert(1)>'],
    ["</title><svg onload=alert(1)>"],
    ["' onmouseover='alert(1)"],
    ["&lt;b&gt; &amp;amp;"],
    ["{{constructor.constructor('alert(1)')()}}"],
    ["\u202egpj.exe"],
  ])("shows the title %s as text", async (title) => {
    const plain = await newLink(kurz, { title: "plain" });
    const { slug } = await newLink(kurz, { title });
    const { text } = await visit(api.server, `/${slug}+`);
    expect(structureOf(text)).toEqual(structureOf((await visit(api.server, `/${plain.slug}+`)).text));
    expect(textOf(text)).toContain(title);
  });

  test.each([
    ["https://example.com/'onmouseover='alert(1)"],
    ["https://example.com/?q='><script>alert(1)</script>"],
    ['https://example.com/#"><script>alert(1)</script>'],
    ["https://example.com/?a=javascript:alert(1)&amp;b"],
  ])("shows the destination %s as text", async (destination_url) => {
    const { slug } = await newLink(kurz, { destination_url });
    const { text } = await visit(api.server, `/${slug}+`);
    const plain = await newLink(kurz);
    expect(structureOf(text)).toEqual(structureOf((await visit(api.server, `/${plain.slug}+`)).text));
    const href = /href="([^"]*)" rel/.exec(text)?.[1] ?? "";
    expect(href).toStartWith("https://example.com/");
    expect(href).not.toMatch(/[<>']/);
  });
});

describe("every page", () => {
  test("runs no script, loads nothing, and can be neither framed nor indexed", async () => {
    const { slug } = await newLink(kurz);
    const gone = await linkAfter({ archive: true });
    const answers = [
      await visit(api.server, `/${slug}+`),
      await visit(api.server, "/unknown"),
      await visit(api.server, `/${gone.slug}`),
      await visit(api.server, `/${slug}`, { method: "POST" }),
    ];
    for (const { headers, text } of answers) {
      const policy = headers.get("Content-Security-Policy") ?? "";
      for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"]) {
        expect(policy).toContain(rule);
      }
      expect(policy).not.toMatch(/unsafe|script-src|\*/);
      expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
      expect(headers.get("X-Content-Type-Options")).toBe("nosniff");
      expect(headers.get("X-Robots-Tag")).toContain("noindex");
      expect(headers.get("Cross-Origin-Opener-Policy")).toBe("same-origin");
      expect(headers.has("Set-Cookie")).toBe(false);
      expect(headers.get("X-Request-Id")).toMatch(/^req_/);
      expect(text).toStartWith("<!doctype html>");
    }
  });

  test("and every redirect may be stored by no cache, shared or private", async () => {
    const { slug } = await newLink(kurz);
    const slugs = [slug, `${slug}+`, "unknown", "unknown+"];
    for (const step of [{ pause: true }, { archive: true }, { block: true }, { delete: true }] as const) {
      slugs.push((await linkAfter(step)).slug);
    }
    for (const path of [...slugs.map((name) => `/${name}`), "/", "/a/b", "/healthz"]) {
      for (const method of ["GET", "HEAD", "POST"]) {
        const { status, headers } = await visit(api.server, path, { method });
        for (const shared of [true, false]) {
          const request = { method: "GET", url: path, headers: {} };
          const policy = new CachePolicy(request, { status, headers: Object.fromEntries(headers) }, { shared });
          expect([path, method, status, policy.storable()]).toEqual([path, method, status, false]);
        }
      }
    }
  });

  test("is HTML, whatever the visitor accepts", async () => {
    for (const accept of ["application/json", "image/png", "*/*;q=0"]) {
      const { headers } = await visit(api.server, "/unknown", { headers: { Accept: accept } });
      expect(headers.get("Content-Type")).toBe("text/html; charset=utf-8");
    }
  });
});
