import type { LinkPreview } from "#visits/link-settings.ts";
import { html, nothing } from "./html.ts";

export interface PreviewCard {
  /** The address that was shared. */
  readonly shortUrl: string;
  readonly preview: LinkPreview;
}

/** Open Graph and Twitter tags, for programs that show a card. It never names the destination. */
export function renderPreviewCard({ shortUrl, preview }: PreviewCard): string {
  const title = preview.title ?? shortUrl.replace(/^https?:\/\//, "");
  const { description, image_url: image } = preview;
  return html`<!doctype html>
<html>
<head>
<meta charset="utf-8">
<meta name="robots" content="noindex">
<title>${title}</title>
<meta property="og:type" content="website">
<meta property="og:url" content="${shortUrl}">
<meta property="og:title" content="${title}">
<meta name="twitter:card" content="${image === null ? "summary" : "summary_large_image"}">
<meta name="twitter:title" content="${title}">
${
  description === null
    ? nothing
    : html`<meta name="description" content="${description}">
<meta property="og:description" content="${description}">
<meta name="twitter:description" content="${description}">`
}
${
  image === null
    ? nothing
    : html`<meta property="og:image" content="${image}">
<meta name="twitter:image" content="${image}">`
}
</head>
<body>
<h1>${title}</h1>
</body>
</html>
`.text;
}
