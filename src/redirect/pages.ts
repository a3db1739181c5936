import { TARGET_BYTES_MAX } from "#contract/limits.ts";
import { siteOf } from "#shared/host-name.ts";
import { showAddress } from "#shared/shown-host.ts";
import { html, type Markup, nothing } from "./html.ts";
import { type PageParts, renderPage } from "./page-layout.ts";
import { type Language, textsByLanguage } from "./texts/language.ts";

export interface PagesOptions {
  readonly shortDomain: string;
  /** An e-mail address or URL for reports. */
  readonly abuseContact: string | null;
  readonly language: Language;
  /** A demo shows destinations instead of redirecting, and only links to reserved example domains. */
  readonly isDemo?: boolean;
}

export interface Preview {
  /** `null` on the instance's own domain. */
  readonly host: string | null;
  readonly slug: string;
  readonly title: string | null;
  /** Where this visitor would be led. */
  readonly location: string;
  /** Whether others may be led elsewhere. */
  readonly varies?: boolean;
}

const EMAIL = /^[^\s@<>"?&]+@[^\s@<>"?&]+$/;

const BLOCKED = ["malware", "phishing", "spam", "legal", "manual", "suspended"] as const;
type Blocked = (typeof BLOCKED)[number];

/** On the host that was visited, so that a domain of an account reveals nothing about the instance. */
type Page = (site: string | null) => string;
type SaidParts = Pick<PageParts, "tone" | "sign" | "title"> & { readonly bodyOn: (site: string) => Markup };

/** The pages visitors see instead of a redirect, in one language. The instance's own are rendered once. */
export function createPages({ shortDomain, abuseContact, language, isDemo = false }: PagesOptions) {
  const texts = textsByLanguage[language];
  const page = ({ title, bodyOn, ...sign }: SaidParts): Page => {
    const heading = html`${title}`;
    const on: Page = (site) => renderPage({ ...sign, title, language, site, heading, body: bodyOn(site ?? "") });
    const own = on(shortDomain);
    return (site) => (site === shortDomain ? own : on(site));
  };
  const say = (kind: Pick<PageParts, "tone" | "sign">, saying: { readonly title: string; readonly text: string }) =>
    page({
      ...kind,
      title: saying.title,
      bodyOn: () => html`<p>${saying.text.replace("{max}", String(TARGET_BYTES_MAX))}</p>`,
    });

  const blockedPage = (reason: Blocked): Page => {
    const { title, reasons, notForwarded, mistake, subject } = texts.blocked;
    return page({
      tone: "danger",
      sign: "warning",
      title,
      bodyOn: (site) => html`<p>${reasons[reason]}</p>
<p>${notForwarded}</p>
${contactLine(abuseContact, mistake, subject.replace("{site}", site))}`,
    });
  };
  const blocked = new Map<string, Page>(BLOCKED.map((reason) => [reason, blockedPage(reason)]));

  const mistyped = { tone: "neutral", sign: "broken" } as const;
  const passing = { tone: "notice", sign: "wait" } as const;
  return {
    notFound: say(mistyped, texts.notFound),
    gone: say({ tone: "neutral", sign: "ended" }, texts.gone),
    blocked: (reason: Blocked): Page => blocked.get(reason) ?? blockedPage("manual"),
    tooManyMisses: say(passing, texts.tooManyMisses),
    tooManyPasswords: say(passing, texts.tooManyPasswords),
    tooManyRequests: say(passing, texts.tooManyRequests),
    unavailable: say(passing, texts.unavailable),
    methodNotAllowed: say(mistyped, texts.methodNotAllowed),
    targetTooLong: say(mistyped, texts.targetTooLong),
    internalError: say({ tone: "notice", sign: "warning" }, texts.internalError),
    /** The title is the owner's text, so it is shown next to the destination and never as a statement of this service. */
    preview({ host, slug, title, location, varies = false }: Preview): string {
      const site = siteOf(host, shortDomain);
      const shortUrl = `${site}/${slug}`;
      const { preview } = texts;
      const [before = "", after = ""] = preview.leadsTo.split("{link}");
      return renderPage({
        language,
        site,
        tone: "plain",
        sign: "link",
        title: preview.title.replace("{link}", shortUrl),
        heading: html`${preview.heading}`,
        body: html`<p>${before}<strong>${shortUrl}</strong>${after}</p>
<div class="to" role="group" aria-label="${preview.destination}" tabindex="0">
${title === null ? nothing : html`<p class="name"><bdi>${title}</bdi></p>`}
<p dir="ltr">${emphasiseHost(location)}</p>
</div>
${showAddress(location).isDeceptive ? html`<p><strong>${preview.lookAlike}</strong></p>` : nothing}
${varies ? html`<p>${preview.varies}</p>` : nothing}
${isDemo ? html`<p><strong>${preview.demo.title}</strong></p><p>${preview.demo.text}</p>` : nothing}
${isDemo && !isReserved(location) ? nothing : proceedLink(location, preview.proceed)}
${contactLine(abuseContact, preview.wrong, preview.subject.replace("{link}", shortUrl))}`,
      });
    },
  };
}

export type Pages = ReturnType<typeof createPages>;

/** The host tells a real site from an imitation. It is stored in punycode, which reveals look-alike letters. */
function emphasiseHost(location: string): Markup {
  const [, scheme = "", host = "", rest = ""] = /^([a-z]+:\/\/)([^/?#]*)(.*)$/is.exec(location) ?? [];
  return html`${scheme}<strong>${host}</strong>${rest}`;
}

const proceedLink = (location: string, text: string): Markup =>
  html`<a class="go" href="${location}" rel="noreferrer noopener nofollow">${text}</a>`;

// RFC 2606 §3: reserved, so no one can publish anything there.
const RESERVED_HOSTS = new Set(["example.com", "example.org", "example.net"]);

/** Whether a demo may link to the destination. With a port or user name, it is a different site. */
function isReserved(location: string): boolean {
  const { protocol, host, username, password } = new URL(location);
  return /^https?:$/.test(protocol) && username + password === "" && RESERVED_HOSTS.has(host);
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
