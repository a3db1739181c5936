import type { BlockReason } from "#contract/errors.ts";
import { TARGET_OCTETS_MAX } from "#contract/limits.ts";
import { html, type Markup, nothing } from "./html.ts";
import { type PageParts, renderPage } from "./page-layout.ts";

export interface PagesOptions {
  readonly shortDomain: string;
  /** An e-mail address or URL for reports. */
  readonly abuseContact: string | null;
}

export interface Preview {
  readonly slug: string;
  readonly title: string | null;
  readonly location: string;
}

const BLOCK_TEXTS: Readonly<Record<BlockReason | "suspended", string>> = {
  malware: "It was reported to lead to malicious software.",
  phishing:
    "It was reported for phishing: the page behind it imitates another one to steal passwords or personal data.",
  spam: "It was reported for spam.",
  legal: "It was blocked for legal reasons.",
  manual: "It was blocked by the operator of this service.",
  suspended: "The account that it belongs to is suspended.",
};

const EMAIL = /^[^\s@<>"?&]+@[^\s@<>"?&]+$/;

/** What visitors see where there is nothing to redirect to. All but the preview are made once. */
export function createPages({ shortDomain, abuseContact }: PagesOptions) {
  const page = (parts: Omit<PageParts, "site" | "heading">): string =>
    renderPage({ ...parts, site: shortDomain, heading: html`${parts.title}` });
  const say = (text: string): Markup => html`<p>${text}</p>`;

  const blockedPage = (reason: BlockReason | "suspended"): string =>
    page({
      tone: "danger",
      sign: "warning",
      title: "This link is blocked",
      body: html`<p>${BLOCK_TEXTS[reason]}</p>
<p>We do not forward you, to keep you safe.</p>
${contactLine(abuseContact, "Do you think this is a mistake? Write to", `Blocked link on ${shortDomain}`)}`,
    });

  const blocked: Readonly<Record<BlockReason | "suspended", string>> = {
    malware: blockedPage("malware"),
    phishing: blockedPage("phishing"),
    spam: blockedPage("spam"),
    legal: blockedPage("legal"),
    manual: blockedPage("manual"),
    suspended: blockedPage("suspended"),
  };

  return {
    notFound: page({
      tone: "neutral",
      sign: "broken",
      title: "This link does not exist",
      body: say("Check the address for typing mistakes, or ask the person who gave it to you."),
    }),
    gone: page({
      tone: "neutral",
      sign: "ended",
      title: "This link is no longer available",
      body: say("It has ended or was removed. Ask the person who gave it to you for a new one."),
    }),
    blocked: (reason: BlockReason | "suspended"): string => blocked[reason] ?? blocked.manual,
    tooManyMisses: page({
      tone: "notice",
      sign: "wait",
      title: "Too many unknown links",
      body: say("Your network has asked for many links that do not exist. Please wait a minute and try again."),
    }),
    unavailable: page({
      tone: "notice",
      sign: "wait",
      title: "Back in a moment",
      body: say("This page cannot be shown right now. Please try again in a few seconds."),
    }),
    methodNotAllowed: page({
      tone: "neutral",
      sign: "broken",
      title: "This address can only be opened",
      body: say("Short links answer GET and HEAD requests, and nothing else."),
    }),
    targetTooLong: page({
      tone: "neutral",
      sign: "broken",
      title: "This address is too long",
      body: say(`Short links take addresses of up to ${TARGET_OCTETS_MAX} characters.`),
    }),
    internalError: page({
      tone: "notice",
      sign: "warning",
      title: "Something went wrong",
      body: say("The mistake is on our side. Please try again."),
    }),
    /** The title is its owner's text, so it stands beside the destination and never speaks for this service. */
    preview({ slug, title, location }: Preview): string {
      const shortUrl = `${shortDomain}/${slug}`;
      return renderPage({
        site: shortDomain,
        tone: "plain",
        sign: "link",
        title: `Preview of ${shortUrl}`,
        heading: html`Where this link leads`,
        body: html`<p>The short link <strong>${shortUrl}</strong> leads to</p>
<div class="to" role="group" aria-label="Destination" tabindex="0">
${title === null ? nothing : html`<p class="name"><bdi>${title}</bdi></p>`}
<p dir="ltr">${emphasiseHost(location)}</p>
</div>
<a class="go" href="${location}" rel="noreferrer noopener nofollow">Continue</a>
${contactLine(abuseContact, "Is something wrong with this link? Report it to", `Report of ${shortUrl}`)}`,
      });
    },
  };
}

export type Pages = ReturnType<typeof createPages>;

/** The host is what tells a real site from an imitation. It is stored in punycode, which shows look-alike letters. */
function emphasiseHost(location: string): Markup {
  const [, scheme = "", host = "", rest = ""] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(location) ?? [];
  return html`${scheme}<strong>${host}</strong>${rest}`;
}

function contactLine(contact: string | null, text: string, subject: string): Markup {
  if (contact === null) return nothing;
  return html`<p class="small">${text} ${contactLink(contact, subject)}.</p>`;
}

function contactLink(contact: string, subject: string): Markup {
  if (/^https?:\/\//i.test(contact)) return html`<a href="${contact}" rel="noreferrer noopener">${contact}</a>`;
  if (!EMAIL.test(contact)) return html`${contact}`;
  return html`<a href="mailto:${contact}?subject=${encodeURIComponent(subject)}">${contact}</a>`;
}
