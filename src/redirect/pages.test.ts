import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { PAGE_POLICY } from "./page-layout.ts";
import { createPages } from "./pages.ts";
import { type Language, languages, textsByLanguage } from "./texts/language.ts";

const pages = createPages({ shortDomain: "s.example", abuseContact: null, language: "en" });
const skeletonOf = (page: string): string => page.replace(/>[^<]*/g, ">").replace(/(href|content)="[^"]*"/g, '$1=""');

describe("the preview page", () => {
  test("shows title, short link and destination, and links there without a referrer", () => {
    const page = pages.preview({
      host: null,
      slug: "abc",
      title: "Spring & sale",
      location: "https://xn--e1awd7f.com/a?b=1&c=2#d",
    });
    expect(page).toContain("Spring &amp; sale");
    expect(page).toContain("<strong>s.example/abc</strong>");
    expect(page).toContain("https://<strong>xn--e1awd7f.com</strong>/a?b=1&amp;c=2#d");
    expect(page).toContain(
      '<a class="go" href="https://xn--e1awd7f.com/a?b=1&amp;c=2#d" rel="noreferrer noopener nofollow">Continue</a>',
    );
  });

  test("warns only if the host may imitate another, in every language", () => {
    const previewOf = (host: string, language: Language) =>
      createPages({ shortDomain: "s.example", abuseContact: null, language }).preview({
        host: null,
        slug: "abc",
        title: null,
        location: new URL(`https://${host}/a`).href,
      });
    for (const language of languages) {
      const { lookAlike } = textsByLanguage[language].preview;
      expect(previewOf("аррӏе.com", language)).toContain(lookAlike);
      expect(previewOf("аррӏе.com", language)).toContain("<strong>xn--80ak6aa92e.com</strong>");
      expect(previewOf("bücher.example", language)).not.toContain(lookAlike);
      expect(previewOf("example.com", language)).not.toContain(lookAlike);
    }
  });

  test("user text never becomes markup", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom('"><script>alert(1)</script>', "'onmouseover='x", "</bdi></title><svg/onload=x>", "&lt;", "<!--"),
    );
    const plain = skeletonOf(pages.preview({ host: null, slug: "abc", title: "x", location: "https://example.com/" }));
    fc.assert(
      fc.property(text, text, (title, path) => {
        const page = pages.preview({ host: null, slug: "abc", title, location: `https://example.com/${path}` });
        expect(skeletonOf(page)).toBe(plain);
      }),
    );
  });
});

describe("the page of a link in a demo", () => {
  const demo = createPages({ shortDomain: "s.example", abuseContact: null, language: "en", isDemo: true });
  const showing = (location: string): string => demo.preview({ host: null, slug: "abc", title: null, location });

  test("says that it doesn't redirect, in every language", () => {
    const titles = languages.map((language) => {
      const page = createPages({ shortDomain: "s.example", abuseContact: null, language, isDemo: true });
      const text = page.preview({ host: null, slug: "abc", title: null, location: "https://example.com/" });
      return /<\/div>\s*<p><strong>([^<]+)<\/strong>/.exec(text)?.[1];
    });
    expect(titles[0]).toBe("Demo: no redirect");
    expect(new Set(titles).size).toBe(languages.length);
  });

  test.each(["https://example.com/", "http://example.org/a?b=c#d", "https://EXAMPLE.net"])(
    "%s can be visited, since it is reserved",
    (location) => {
      expect(showing(location)).toContain('<a class="go"');
    },
  );

  test.each([
    "https://shop.test/",
    "https://example.com.evil.test/",
    "https://evil.test/example.com",
    "https://evil.test/?u=https://example.com/",
    "https://notexample.com/",
    "https://www.example.com/",
    "https://example.com:8443/",
    "https://example.com@evil.test/",
    "https://user:pass@example.com/",
    "https://evil.test/#@example.com",
    "https://evil.test\\@example.com/",
    "ftp://example.com/",
    "javascript:alert(1)",
    "javascript://example.com/%0aalert(1)",
    'https://evil.test/"><script>alert(1)</script>',
  ])("%s is text that leads nowhere", (location) => {
    const page = showing(location);
    expect(page).not.toContain("<a");
    expect(page).not.toContain("<script");
  });
});

describe("the abuse contact", () => {
  const contactOf = (abuseContact: string | null): string =>
    /<p class="small">.*<\/p>/s.exec(
      createPages({ shortDomain: "s.example", abuseContact, language: "en" }).blocked("spam")("s.example"),
    )?.[0] ?? "";

  test("is a mail link, a web link or plain text, or is left out", () => {
    expect(contactOf("abuse@s.example")).toContain(
      'href="mailto:abuse@s.example?subject=Blocked%20link%20on%20s.example"',
    );
    expect(contactOf("https://s.example/report?a=1&b=2")).toContain('href="https://s.example/report?a=1&amp;b=2"');
    expect(contactOf("call 555-1234")).toContain("call 555-1234");
    expect(contactOf("call 555-1234")).not.toContain("href");
    expect(contactOf("javascript:alert(1)")).not.toContain("href");
    expect(contactOf('"><b>')).not.toContain("<b>");
    expect(contactOf(null)).toBe("");
  });
});

describe("every page", () => {
  test("has the style sheet that its policy allows, and no script", () => {
    const all = [pages.notFound, pages.gone, pages.tooManyMisses, pages.unavailable, pages.blocked("malware")];
    for (const on of all) {
      const page = on("s.example");
      const [, style = ""] = /<style>(.*?)<\/style>/s.exec(page) ?? [];
      const hash = new Bun.CryptoHasher("sha256").update(style).digest("base64");
      expect(PAGE_POLICY).toContain(`style-src 'sha256-${hash}'`);
      expect(page).not.toMatch(/<script|\sstyle=|\son[a-z]+=/);
      expect(page).toStartWith('<!doctype html>\n<html lang="en">');
    }
  });

  test("names the host that was visited and no other, or none if nobody knows whose it is", () => {
    const own = createPages({ shortDomain: "s.example", abuseContact: "abuse@acme.example", language: "en" });
    for (const page of [own.notFound, own.gone, own.tooManyPasswords, own.methodNotAllowed, own.blocked("spam")]) {
      expect(page("s.example")).toContain("<footer>s.example</footer>");
      expect(page("go.acme.example")).toContain("<footer>go.acme.example</footer>");
      expect(page("go.acme.example")).not.toContain("s.example");
      expect(page(null)).not.toContain("<footer>");
    }
  });

  test("of a blocked link names the reason", () => {
    const texts = (["malware", "phishing", "spam", "legal", "manual", "suspended"] as const).map((reason) =>
      pages.blocked(reason)("s.example"),
    );
    expect(new Set(texts).size).toBe(6);
  });

  test("is translated into every language, with all placeholders filled in", () => {
    const seen = new Set<string>();
    for (const language of languages) {
      const own = createPages({ shortDomain: "s.example", abuseContact: "abuse@s.example", language });
      const preview = own.preview({ host: null, slug: "abc", title: null, location: "https://example.com/" });
      const all = [own.notFound, own.gone, own.tooManyMisses, own.unavailable, own.targetTooLong, own.internalError];
      const said = [...all, own.methodNotAllowed, own.blocked("phishing")].map((on) => on("s.example"));
      for (const page of [...said, preview]) {
        expect(page.replace(/<style>.*<\/style>/s, "")).not.toMatch(/[{}]/);
        expect(seen.has(page)).toBe(false);
        seen.add(page);
      }
      expect(preview).toContain("<strong>s.example/abc</strong>");
    }
  });
});
