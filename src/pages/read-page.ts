import { TITLE_LENGTH_MAX } from "#contract/limits.ts";
import { decodeEntities } from "./html-entities.ts";

export interface IconLink {
  readonly href: string;
  /** Pixels per side, if it says so. */
  readonly side: number | null;
  /** For home screens rather than tabs. */
  readonly isTouch: boolean;
}

export interface PageFacts {
  readonly title: string | null;
  readonly icons: readonly IconLink[];
  /** What addresses in it are relative to, if not its own. */
  readonly base: string | null;
}

/** What a page says about itself. It may be cut off anywhere. */
export function readPage(html: string): PageFacts {
  const icons: IconLink[] = [];
  let ogTitle: string | null = null;
  let title = "";
  let base: string | null = null;
  // After the first one, and in the body, it is the title of a picture.
  let isTitleOver = false;
  const rewriter = new HTMLRewriter()
    .on("title", {
      text({ text, lastInTextNode }) {
        if (isTitleOver) return;
        title += text;
        isTitleOver = lastInTextNode;
      },
    })
    .on("body", {
      element() {
        isTitleOver = true;
      },
    })
    .on("meta", {
      element(meta) {
        if (ogTitle === null && meta.getAttribute("property")?.toLowerCase() === "og:title")
          ogTitle = meta.getAttribute("content");
      },
    })
    .on("base", {
      element(element) {
        base ??= element.getAttribute("href");
      },
    })
    .on("link", {
      element(link) {
        const icon = iconOf((name) => link.getAttribute(name));
        if (icon) icons.push(icon);
      },
    });
  try {
    rewriter.transform(html);
  } catch {
    // It refuses markup that can be read in two ways. What comes before is known by now.
  }
  return { title: toTitle(ogTitle ?? "") ?? toTitle(title), icons, base: base && decodeEntities(base) };
}

function iconOf(attribute: (name: string) => string | null): IconLink | null {
  const words = (attribute("rel") ?? "").toLowerCase().split(/\s+/);
  const isTouch = words.includes("apple-touch-icon");
  const href = attribute("href");
  if (href === null || !(isTouch || words.includes("icon"))) return null;
  // Drawings can contain scripts and refer to other places.
  if (/svg/i.test(attribute("type") ?? "") || /\.svg(?:[?#]|$)/i.test(href)) return null;
  const side = /^\s*(\d{1,4})x\d/i.exec(attribute("sizes") ?? "")?.[1];
  return { href: decodeEntities(href), side: side === undefined ? null : Number(side), isTouch };
}

/** As a link's title may be: one line, without control characters. */
function toTitle(text: string): string | null {
  const line = decodeEntities(text)
    .toWellFormed()
    .replace(/[\p{Cc}\p{White_Space}]+/gu, " ")
    .trim();
  // Twice as much: normalizing may shorten it, and takes long for very long ones.
  const letters = [
    ...[...line]
      .slice(0, 2 * TITLE_LENGTH_MAX)
      .join("")
      .normalize("NFC"),
  ];
  if (letters.length <= TITLE_LENGTH_MAX) return letters.join("") || null;
  return `${letters
    .slice(0, TITLE_LENGTH_MAX - 1)
    .join("")
    .trimEnd()}…`;
}
