import { escapeHtml } from "#shared/escape-html.ts";
import type { Entry, Navigation } from "./navigation.ts";
import type { Heading } from "./render-markdown.ts";
import { REFERENCE_PATH, START_PATH } from "./site-paths.ts";

/** Addresses of what every page loads. */
export interface SiteAssets {
  readonly style: string;
  readonly script: string;
  readonly theme: string;
  readonly font: string;
  readonly icon: string;
  readonly searchIndex: string;
}

/** What the page of the API reference loads on top. */
export interface ReferenceAssets {
  readonly rendererScript: string;
  readonly rendererStyle: string;
  readonly script: string;
  readonly style: string;
}

export interface PageParts {
  /** `wide` has no list of its sections. */
  readonly kind: "text" | "start" | "wide";
  readonly title: string;
  readonly path: string;
  readonly content: string;
  readonly headings: readonly Heading[];
  readonly previous?: Entry | undefined;
  readonly next?: Entry | undefined;
  readonly reference?: ReferenceAssets;
}

interface Site {
  readonly navigation: Navigation;
  readonly assets: SiteAssets;
}

const LOGO = `<svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="var(--accent-fill)"/><path d="M10 8v16M22.5 8.5 12.5 17m2.5-2 8 9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

const icon = (...paths: readonly string[]): string =>
  `<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${paths.map((path) => `<path d="${path}"/>`).join("")}</svg>`;
const SEARCH = icon("M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13ZM15.2 15.2 20 20");
const MENU = icon("M4 7h16M4 12h16M4 17h16");
const SECTIONS = icon("M4 7h16M9 12h11M9 17h11");
const THEME = icon("M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16Z", "M12 4a8 8 0 0 1 0 16V4Z");

/** A whole page. The menus open without a script: below some width they are popovers, above it they are always there. */
export function renderLayout(page: PageParts, { navigation, assets }: Site): string {
  const { kind, title, path, content, reference } = page;
  const heading = path === START_PATH ? navigation.title : `${title} · Kurz docs`;
  const contents = kind === "text" ? renderContents(page.headings) : "";
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(heading)}</title>
<link rel="icon" href="${assets.icon}" type="image/svg+xml">
<script src="${assets.theme}"></script>
<link rel="preload" href="${assets.font}" as="font" type="font/woff2" crossorigin>
${reference ? `<link rel="stylesheet" href="${reference.rendererStyle}">\n` : ""}<link rel="stylesheet" href="${assets.style}">
${reference ? renderReferenceHead(reference) : ""}<script type="module" src="${assets.script}"></script>
</head>
<body class="${kind}" data-search-index="${assets.searchIndex}">
<a class="skip" href="#content">Skip to content</a>
<header class="top">
<button type="button" class="control menu-button" popovertarget="pages" aria-label="Menu">${MENU}</button>
<a class="brand" href="${START_PATH}">${LOGO}<span>Kurz</span> <span class="soft">Docs</span></a>
<button type="button" class="search-button" hidden>${SEARCH}<span>Search the docs</span><kbd>/</kbd></button>
<nav class="elsewhere" aria-label="Elsewhere">
<a href="${REFERENCE_PATH}"${path === REFERENCE_PATH ? ' aria-current="page"' : ""}>API reference</a>
<a href="/console">Console</a>
</nav>
<button type="button" class="control theme-button" hidden>${THEME}</button>
</header>
<div class="frame">
${renderPages(navigation, path)}
${contents}<main id="content" tabindex="-1">
<div${kind === "wide" ? "" : ' class="prose"'}>
${content}
</div>
${renderTurn(page)}</main>
</div>
</body>
</html>
`;
}

const renderReferenceHead = ({ rendererScript, script, style }: ReferenceAssets): string =>
  `<link rel="stylesheet" href="${style}">
<script src="${rendererScript}" defer></script>
<script src="${script}" defer></script>
`;

function renderPages({ sections }: Navigation, current: string): string {
  const lists = sections.map(({ title, entries }) => {
    const items = entries.map(({ title: name, path }) => {
      const mark = path === current ? ' aria-current="page"' : "";
      return `<li><a href="${path}"${mark}>${escapeHtml(name)}</a></li>`;
    });
    return `<p class="group">${escapeHtml(title)}</p>\n<ul>\n${items.join("\n")}\n</ul>`;
  });
  return `<nav id="pages" class="pages" aria-label="Documentation" popover>\n${lists.join("\n")}\n</nav>`;
}

function renderContents(headings: readonly Heading[]): string {
  const shown = headings.filter(({ level }) => level <= 3);
  if (shown.length < 2) return "";
  const items = shown.map(
    ({ level, anchor, text }) => `<li class="level-${level}"><a href="#${anchor}">${escapeHtml(text)}</a></li>`,
  );
  return `<button type="button" class="contents-button" popovertarget="contents">${SECTIONS}On this page</button>
<nav id="contents" class="contents" aria-label="On this page" popover>
<p class="group">On this page</p>
<ul>
${items.join("\n")}
</ul>
</nav>
`;
}

function renderTurn({ previous, next }: PageParts): string {
  if (!previous && !next) return "";
  const link = (entry: Entry | undefined, rel: "prev" | "next", label: string): string =>
    entry
      ? `<a rel="${rel}" href="${entry.path}"><span class="soft">${label}</span>${escapeHtml(entry.title)}</a>`
      : "<span></span>";
  return `<nav class="turn" aria-label="Previous and next page">${link(previous, "prev", "Previous")}${link(next, "next", "Next")}</nav>\n`;
}
