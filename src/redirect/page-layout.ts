import { html, Markup, nothing } from "./html.ts";
import { PAGE_STYLE } from "./page-style.ts";

export type Tone = "neutral" | "notice" | "danger" | "plain";

export interface PageParts {
  readonly language: string;
  /** The host that shows the page; `null` if it isn't known whose it is. */
  readonly site: string | null;
  readonly tone: Tone;
  readonly sign: keyof typeof SIGNS;
  readonly heading: Markup;
  readonly title: string;
  readonly body: Markup;
}

// On a 24×24 grid, stroked in the color of the tone.
const SIGNS = {
  broken: new Markup(
    '<path d="M10 14a4 4 0 0 1 0-5.7l2.3-2.3a4 4 0 0 1 5.7 5.7l-.8.8"/><path d="M14 10a4 4 0 0 1 0 5.7L11.7 18A4 4 0 0 1 6 12.3l.8-.8"/><path d="m4 4 16 16"/>',
  ),
  ended: new Markup('<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>'),
  warning: new Markup('<path d="M12 4.2 21 19.5H3z"/><path d="M12 10v4.5"/><path d="M12 17v.01"/>'),
  wait: new Markup('<path d="M7 3.5h10M7 20.5h10M8 3.5c0 5 8 6 8 8.5s-8 3.5-8 8.5M16 3.5c0 5-8 6-8 8.5s8 3.5 8 8.5"/>'),
  lock: new Markup('<rect x="5" y="10.5" width="14" height="9" rx="2"/><path d="M8 10.5V8a4 4 0 0 1 8 0v2.5"/>'),
  link: new Markup(
    '<path d="M10 14a4 4 0 0 0 5.7 0l2.8-2.8a4 4 0 0 0-5.7-5.7l-1 1"/><path d="M14 10a4 4 0 0 0-5.7 0l-2.8 2.8a4 4 0 0 0 5.7 5.7l1-1"/>',
  ),
} as const;

const STYLE = new Markup(PAGE_STYLE);
const STYLE_HASH = new Bun.CryptoHasher("sha256").update(PAGE_STYLE).digest("base64");

const policyWith = (formAction: string): string =>
  `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; form-action ${formAction}; base-uri 'none'; frame-ancestors 'none'`;

/** Only the style sheet may load; scripts, frames and forms are forbidden. */
export const PAGE_POLICY = policyWith("'none'");
/** Browsers also check where the answer to a form redirects to, and naming that here would give it away. */
export const FORM_POLICY = policyWith("http: https:");

export function renderPage({ language, site, tone, sign, heading, title, body }: PageParts): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="sign ${tone}" aria-hidden="true"><svg viewBox="0 0 24 24">${SIGNS[sign]}</svg></div>
<h1>${heading}</h1>
${body}
</main>
${site === null ? nothing : html`<footer>${site}</footer>`}
</body>
</html>
`.text;
}
