import { BASE_URL_MARK } from "#shared/docs-manifest.ts";
import { escapeHtml } from "#shared/escape-html.ts";
import { headingAnchors } from "./heading-anchors.ts";
import { highlight } from "./highlight.ts";
import { anchorIn, isElsewhere, sitePathOf, targetOf } from "./site-paths.ts";

export interface Heading {
  readonly level: number;
  readonly anchor: string;
  readonly text: string;
}

export interface RenderedPage {
  readonly title: string;
  /** Below the title. */
  readonly headings: readonly Heading[];
  readonly html: string;
}

export interface Picture {
  readonly src: string;
  readonly width: number;
  readonly height: number;
}

interface RenderOptions {
  /** The path of the page in the repository, which its links are relative to. */
  readonly file: string;
  /** Whether the site has a page for a file of the repository. */
  readonly isOnSite: (file: string) => boolean;
  /** What the site serves for a picture of the repository. */
  readonly pictureOf: (file: string) => Picture;
}

/** Addresses that stand for the reader's own instance in commands and programs. */
const INSTANCE = /http:\/\/localhost:8080|https:\/\/s\.example(?![\w.-])/g;
/** In settings and configurations of proxies, the example's host is also alone, so there all of it stays. */
const CALLS_INSTANCE = new Set(["sh", "ts", "js", "python", "markdown", "text", "json"]);

/** The HTML that pages have within their text. */
const INLINE_TAG = /^<\/?kbd>$/;

/** A page of the repository as the content of a page on the site. */
export function renderMarkdown(markdown: string, options: RenderOptions): RenderedPage {
  const { file, isOnSite, pictureOf } = options;
  const headings: Heading[] = [];
  const newAnchor = headingAnchors();
  let title = "";

  const image = (src: string, alt: string): string => {
    const picture = pictureOf(targetOf(file, src));
    return `<img src="${picture.src}" width="${picture.width}" height="${picture.height}" alt="${alt}" loading="lazy" decoding="async">`;
  };

  /** Pictures in two themes are HTML, which Markdown leaves as it is. */
  const withPictures = (html: string): string =>
    html
      .replace(/<!--[\s\S]*?-->/g, "")
      .replace(/srcset="([^"]+)"/g, (_, src: string) => `srcset="${pictureOf(targetOf(file, src)).src}"`)
      .replace(/<img alt="([^"]*)" src="([^"]+)">/g, (_, alt: string, src: string) => image(src, alt));

  const html = Bun.markdown.render(markdown, {
    // Called for every text: also for code, and for HTML, whose tags come one by one.
    text: (text) => (INLINE_TAG.test(text) ? text : escapeHtml(text)),
    heading(children, { level }) {
      const text = plainText(children);
      if (level === 1) {
        title = text;
        return `<h1>${children}</h1>\n`;
      }
      const anchor = newAnchor(text);
      headings.push({ level, anchor, text });
      const link = `<a class="anchor" href="#${anchor}" aria-label="Link to this section: ${escapeHtml(text)}">#</a>`;
      return `<h${level} id="${anchor}">${children} ${link}</h${level}>\n`;
    },
    paragraph: (children) => `<p>${children}</p>\n`,
    blockquote: (children) => `<blockquote>${children}</blockquote>\n`,
    code: (children, { language = "text" } = {}) => renderCode(unescapeHtml(children), language),
    list: (children, { ordered, start = 1 }) =>
      ordered ? `<ol${start === 1 ? "" : ` start="${start}"`}>\n${children}</ol>\n` : `<ul>\n${children}</ul>\n`,
    listItem: (children) => `<li>${children.trimEnd()}</li>\n`,
    hr: () => "<hr>\n",
    // A wide table scrolls by itself, by keyboard, too.
    table(children) {
      const label = escapeHtml(`Table: ${headings.at(-1)?.text ?? title}`);
      return `<div class="table" tabindex="0" role="group" aria-label="${label}"><table>${children}</table></div>\n`;
    },
    thead: (children) => (plainText(children).trim() === "" ? "" : `<thead>${children}</thead>`),
    tbody: (children) => `<tbody>${children}</tbody>`,
    tr: (children) => `<tr>${children}</tr>`,
    th: (children) => (children.trim() === "" ? "<td></td>" : `<th scope="col">${children}</th>`),
    td: (children) => `<td>${children}</td>`,
    html: (children) => withPictures(unescapeHtml(children)),
    strong: (children) => `<strong>${children}</strong>`,
    emphasis: (children) => `<em>${children}</em>`,
    // Where long names of settings may break: only in tables on phones, by the style sheet.
    codespan: (children) => `<code>${escapeHtml(unescapeHtml(children)).replaceAll("_", "_<wbr>")}</code>`,
    strikethrough: (children) => `<del>${children}</del>`,
    image: (children, { src }) => image(src, children),
    link(children, { href }) {
      if (href.startsWith("#")) return `<a href="${escapeHtml(href)}">${children}</a>`;
      if (isElsewhere(href)) return `<a href="${escapeHtml(href)}" rel="noreferrer">${children}</a>`;
      const target = targetOf(file, href);
      // What only the repository has can't be a link: an instance doesn't know where its source is.
      if (!isOnSite(target)) return `<span title="${escapeHtml(target)} in Kurz’s source">${children}</span>`;
      return `<a href="${sitePathOf(target)}${escapeHtml(anchorIn(href))}">${children}</a>`;
    },
  });
  return { title, headings, html };
}

const unescapeHtml = (html: string): string =>
  html
    .replace(/&lt;/g, "<")
    .replace(/&gt;/g, ">")
    .replace(/&quot;/g, '"')
    .replace(/&#39;/g, "'")
    .replace(/&amp;/g, "&");

/** Of a piece of HTML that {@link renderMarkdown} made. */
const plainText = (html: string): string => unescapeHtml(html.replace(/<[^>]+>/g, ""));

function renderCode(code: string, language: string): string {
  const html = highlight(code.trimEnd(), language);
  const shown = CALLS_INSTANCE.has(language) ? html.replace(INSTANCE, BASE_URL_MARK) : html;
  const name = language === "text" ? "" : escapeHtml(language);
  const head = `<div class="code-head"><span>${name}</span></div>`;
  return `<div class="code-block">${head}<pre class="code" tabindex="0"><code>${shown}</code></pre></div>\n`;
}
