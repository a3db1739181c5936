import { describe, expect, test } from "bun:test";
import { BASE_URL_MARK } from "#shared/docs-manifest.ts";
import { renderMarkdown } from "./render-markdown.ts";

const render = (markdown: string, file = "docs/page.md") =>
  renderMarkdown(markdown, {
    file,
    isOnSite: (target) => ["docs/links.md", "docs/openapi.json", "sdk/README.md", "docs/README.md"].includes(target),
    pictureOf: (target) => ({ src: `/assets/${target}`, width: 10, height: 5 }),
  });

describe("text", () => {
  test("is escaped, in code, too", () => {
    const { html } = render('A <&> `<b>&amp;` 1 &lt; 2 "quoted"\n\n```\n<i>&</i>\n```');
    expect(html).not.toMatch(/<b>|<i>/);
    expect(html).toContain("<code>&lt;b&gt;&amp;amp;</code>");
    expect(html).toContain("&lt;i&gt;&amp;&lt;/i&gt;");
    expect(html).toContain("1 &lt; 2");
  });

  test("has paragraphs, lists and emphasis", () => {
    const { html } = render("one\ntwo\n\n- *a*\n- **b**\n  1. c\n\n3. d");
    expect(html.replace(/\s+/g, " ")).toBe(
      '<p>one two</p> <ul> <li><em>a</em></li> <li><strong>b</strong><ol> <li>c</li> </ol></li> </ul> <ol start="3"> <li>d</li> </ol> ',
    );
  });

  test("leaves out comments", () => {
    expect(render("<!-- Generated. -->\n\nText").html.trim()).toBe("<p>Text</p>");
  });
});

describe("headings", () => {
  const page = render("# The `title`\n\n## One & two\n\n### A_b\n\n## One & two");

  test("have GitHub's anchors, and numbers if there are two of a name", () => {
    expect(page.title).toBe("The title");
    expect(page.headings).toEqual([
      { level: 2, anchor: "one--two", text: "One & two" },
      { level: 3, anchor: "a_b", text: "A_b" },
      { level: 2, anchor: "one--two-1", text: "One & two" },
    ]);
  });

  test("link to themselves, with a name of their own", () => {
    expect(page.html).toContain(
      '<h3 id="a_b">A_b <a class="anchor" href="#a_b" aria-label="Link to this section: A_b">#</a></h3>',
    );
  });
});

describe("links", () => {
  test.each([
    ["[a](links.md#trash)", '<a href="/docs/links#trash">a</a>'],
    ["[a](openapi.json)", '<a href="/docs/api">a</a>'],
    ["[a](../sdk/README.md#errors)", '<a href="/docs/sdk#errors">a</a>'],
    ["[a](README.md)", '<a href="/docs">a</a>'],
    ["[a](#here)", '<a href="#here">a</a>'],
    ["[a](https://bun.sh/?a&b)", '<a href="https://bun.sh/?a&amp;b" rel="noreferrer">a</a>'],
    ["[a](decisions/0001-x.md)", '<span title="docs/decisions/0001-x.md in Kurz’s source">a</span>'],
  ])("%s", (markdown, html) => {
    expect(render(markdown).html.trim()).toBe(`<p>${html}</p>`);
  });

  test("are relative to their own file", () => {
    expect(render("[a](../docs/links.md)", "sdk/README.md").html).toContain('href="/docs/links"');
  });
});

describe("tables", () => {
  test("scroll by themselves, under the name of their section, and have a head only if it says something", () => {
    const { html } = render("# T\n\n## A & b\n\n| a | |\n|---|---|\n| `x` | y \\| z |\n\n| | |\n|---|---|\n| 1 | 2 |");
    expect(html).toContain(
      '<div class="table" tabindex="0" role="group" aria-label="Table: A &amp; b"><table><thead><tr><th scope="col">a</th><td></td></tr></thead>' +
        "<tbody><tr><td><code>x</code></td><td>y | z</td></tr></tbody></table></div>",
    );
    expect(html).toContain("<table><tbody><tr><td>1</td><td>2</td></tr></tbody></table>");
  });
});

describe("pictures", () => {
  test("have their size, and one for each theme", () => {
    expect(render("![A & b](screenshots/x.png)").html).toContain(
      '<img src="/assets/docs/screenshots/x.png" width="10" height="5" alt="A &amp; b" loading="lazy" decoding="async">',
    );
    const { html } = render(
      '<picture>\n  <source media="(prefers-color-scheme: dark)" srcset="screenshots/d.png">\n  <img alt="A" src="screenshots/l.png">\n</picture>',
    );
    expect(html).toContain('srcset="/assets/docs/screenshots/d.png"');
    expect(html).toContain('<img src="/assets/docs/screenshots/l.png" width="10" height="5" alt="A"');
  });
});

describe("the address of the instance", () => {
  test("takes the example's place in commands, programs and their settings", () => {
    const { html } = render(
      "```text\nlogin https://s.example\n```\n\n```sh\ncurl http://localhost:8080/api https://s.example/b https://s.example.com/\n```\n\n```ts\nnew Kurz('https://s.example')\n```",
    );
    expect(html).toContain(`login ${BASE_URL_MARK}`);
    expect(html).toContain(`${BASE_URL_MARK}/api ${BASE_URL_MARK}/b https://s.example.com/`);
    expect(html).toContain(`&#39;${BASE_URL_MARK}&#39;`);
  });

  test("not in settings of the server, where the host is also alone, nor between blocks", () => {
    const { html } = render("`https://s.example`\n\n```ini\nKURZ_BASE_URL='https://s.example'\n```");
    expect(html).not.toContain(BASE_URL_MARK);
  });
});
