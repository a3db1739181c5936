import type { ConsoleLanguage } from "#shared/console-languages.ts";
import type { ConsoleEntry, ConsoleManifest } from "#shared/console-manifest.ts";

/** Nothing inline but what is named by its hash; the page calls its own server only. */
export const consolePolicy = (inline: { readonly script: string; readonly style: string } | null): string =>
  [
    "default-src 'none'",
    `script-src 'self'${inline ? ` '${hashOf(inline.script)}'` : ""}`,
    `style-src 'self'${inline ? ` '${hashOf(inline.style)}'` : ""}`,
    "connect-src 'self'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");

const hashOf = (text: string): string => `sha256-${new Bun.CryptoHasher("sha256").update(text).digest("base64")}`;

/**
 * The splash is painted before the style sheet and the script have arrived, so it has a style of its own, with the
 * colours of the tokens. It is there while the application has rendered nothing but its notices.
 */
export const SPLASH_STYLE = `
:root{color-scheme:light dark}
:root[data-theme=light]{color-scheme:light}
:root[data-theme=dark]{color-scheme:dark}
body{margin:0;background:light-dark(#f8f8fa,#0b0c0f)}
.splash{position:fixed;inset:0;display:flex;flex-direction:column;align-items:center;justify-content:center;gap:20px;
padding:24px;text-align:center;font:14px/1.5 system-ui,sans-serif;color:light-dark(#50525e,#abaeba)}
#root:has(>:not([popover]))~.splash{display:none}
.splash svg{width:40px;height:40px}
.splash i{width:96px;height:2px;overflow:hidden;border-radius:2px;background:light-dark(#e8e8ee,#22242b)}
.splash i::after{content:"";display:block;width:40%;height:100%;border-radius:2px;background:#4b5ae6;
animation:splash-run 1.2s ease-in-out infinite}
.splash p{position:absolute;top:calc(50% + 48px);margin:0;max-width:320px;animation:splash-in .2s 8s both}
@keyframes splash-in{from{opacity:0}}
@keyframes splash-run{from{translate:-100%}to{translate:250%}}
@media(prefers-reduced-motion:reduce){.splash i::after{width:100%;animation:none}}
`;

export type PageKind = "console" | "share";

interface PageTexts {
  readonly loading: string;
  readonly slow: string;
  readonly noScript: Readonly<Record<PageKind, string>>;
}

const textsByLanguage: Readonly<Record<ConsoleLanguage, PageTexts>> = {
  en: {
    loading: "Loading",
    slow: "Still loading. Your connection may be slow.",
    noScript: {
      console: "The console needs JavaScript. You can do everything through the API as well.",
      share: "This report needs JavaScript.",
    },
  },
  de: {
    loading: "Wird geladen",
    slow: "Wird noch geladen. Vielleicht ist Ihre Verbindung langsam.",
    noScript: {
      console: "Die Konsole braucht JavaScript. Alles, was sie kann, geht auch über die API.",
      share: "Dieser Bericht braucht JavaScript.",
    },
  },
};

interface PageParts extends ConsoleEntry, Pick<ConsoleManifest, "font" | "icon"> {
  readonly kind: PageKind;
  readonly language: ConsoleLanguage;
  /** Sets the theme before the first paint and asks for what comes first, so it can't wait for a request of its own. */
  readonly bootScript: string;
}

/**
 * Preloads the font, which only the style sheet names. The style sheet comes after the splash: a browser paints what is
 * above a style sheet while it waits for it.
 */
export function renderConsolePage({ kind, language, script, style, font, icon, bootScript }: PageParts): string {
  const { loading, slow, noScript } = textsByLanguage[language];
  return `<!doctype html>
<html lang="${language}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
    <meta name="color-scheme" content="light dark">
    <meta name="robots" content="noindex">
    <title>Kurz</title>
    <link rel="icon" href="/console/assets/${icon}" type="image/svg+xml">
    <script>${bootScript}</script>
    <style>${SPLASH_STYLE}</style>
    <link rel="preload" href="/console/assets/${style}" as="style">
    <script type="module" src="/console/assets/${script}"></script>
    <link rel="preload" href="/console/assets/${font}" as="font" type="font/woff2" crossorigin>
  </head>
  <body>
    <div id="root"></div>
    <div class="splash" role="status" aria-label="${loading}">
      <svg viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="9" fill="#4b5ae6"/><path d="M10 8v16M22.5 8.5 12.5 17m2.5-2 8 9" fill="none" stroke="#fff" stroke-width="3.4" stroke-linecap="round" stroke-linejoin="round"/></svg>
      <i></i>
      <p>${slow}</p>
      <noscript>${noScript[kind]}</noscript>
    </div>
    <link rel="stylesheet" href="/console/assets/${style}">
  </body>
</html>
`;
}
