import { SHARE_ACCESS_HEADER } from "#contract/share-page.ts";
import type { RateDecision, RateWindows } from "#engines/coordination/rate-windows.ts";
import { type ApiOptions, mountApi } from "#http/mount.ts";
import { servePublicFile } from "#http/public-files.ts";
import { rateLimited } from "#http/rate-limit.ts";
import { newRequestContext } from "#http/request-context.ts";
import { assertSameSite } from "#http/same-site.ts";
import { networkOf } from "#kernel/network-address.ts";
import { html } from "#redirect/html.ts";
import { PAGE_POLICY, renderPage } from "#redirect/page-layout.ts";
import { chooseLanguage } from "#shared/choose-language.ts";
import { consoleLanguages } from "#shared/console-languages.ts";
import { renderBadge } from "#shares/badge.ts";
import { sharePageRoutes } from "#shares/share-page.routes.ts";
import type { ShareVisitor, ShareVisits } from "#shares/share-visits.service.ts";
import type { FindConsoleFiles } from "./console-files.ts";
import { shareTexts } from "./share-texts.ts";

interface SiteOptions extends Pick<ApiOptions<never>, "onDone" | "onBug"> {
  readonly files: FindConsoleFiles;
  readonly visits: ShareVisits;
  readonly rateWindows: RateWindows;
  /** Whether strangers are limited at all. */
  readonly isLimited: boolean;
  readonly baseUrl: string;
  readonly shortDomain: string;
}

const REQUESTS_PER_MINUTE = 300;
const ADDRESS = /^https?:\/\/[^/]*\/share\/([A-Za-z0-9]+)(?:\/(badge\.svg)?)?(?:\?|$)/;
const BADGE_CACHE = "public, max-age=60";

/** The address is the key to the report: it must not be told to search engines, or to the sites that the page links to. */
const PRIVATE = { "referrer-policy": "no-referrer", "x-robots-tag": "noindex, nofollow" };

/** Everything below `/share`: the page of a shared report, what it asks for, and the badge. */
export function shareSite(options: SiteOptions): (request: Request) => Promise<Response> {
  const { files, visits, rateWindows, isLimited, baseUrl, shortDomain, onDone, onBug } = options;
  const policy = { cors: { allowedOrigins: [] }, https: baseUrl.startsWith("https:") };

  const take = async (network: string): Promise<RateDecision | null> => {
    const decision = isLimited ? await rateWindows.take(network, REQUESTS_PER_MINUTE) : null;
    return decision?.allowed === false ? decision : null;
  };

  const data = mountApi<ShareVisitor>({
    ...policy,
    onDone,
    onBug,
    routes: sharePageRoutes(visits),
    async authorize(_, request, context) {
      Object.assign(context.headers, PRIVATE);
      assertSameSite(request, baseUrl);
      const network = networkOf(context.clientAddress);
      const refused = await take(network);
      if (refused) throw rateLimited(refused);
      return { network, access: request.headers.get(SHARE_ACCESS_HEADER) };
    },
  });

  const say = (request: Request, status: number, what: keyof (typeof shareTexts)["en"], headers: object): Response => {
    const language = chooseLanguage(request.headers.get("accept-language"), consoleLanguages);
    const { title, text } = shareTexts[language][what];
    const body = html`<p>${text}</p>`;
    const look = { tone: "notice", sign: what === "gone" ? "broken" : "wait" } as const;
    return new Response(renderPage({ ...look, language, site: shortDomain, title, heading: html`${title}`, body }), {
      status,
      headers: {
        ...headers,
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": PAGE_POLICY,
        vary: "Accept-Language",
      },
    });
  };

  const badge = async (token: string, request: Request, headers: Record<string, string>): Promise<Response> => {
    const clicks = await visits.clicks(token);
    if (clicks === null) return new Response("Not found.\n", { status: 404, headers });
    const own = { "content-type": "image/svg+xml; charset=utf-8", "cache-control": BADGE_CACHE };
    // Other sites show it as an image.
    const shown = { ...headers, ...own, "cross-origin-resource-policy": "cross-origin" };
    return new Response(request.method === "HEAD" ? null : renderBadge(clicks), { headers: shown });
  };

  const page = async (token: string, request: Request, headers: Record<string, string>): Promise<Response> => {
    if (!(await visits.exists(token))) return say(request, 404, "gone", headers);
    const found = files();
    if (!found) return say(request, 503, "preparing", { ...headers, "retry-after": "3" });
    const language = chooseLanguage(request.headers.get("accept-language"), consoleLanguages);
    const shown = { ...headers, "content-security-policy": found.share.policy };
    return servePublicFile(new Map([["", found.share.pages[language]]]), "", request, {
      ...shown,
      "cross-origin-opener-policy": "same-origin",
    });
  };

  return async (request) => {
    const [isPage, token = "", image] = ADDRESS.exec(request.url) ?? [];
    if (!isPage) return data(request);
    const context = newRequestContext(request, policy);
    context.route = image ? "share_page.badge" : "share_page.page";
    const headers = { ...context.headers, ...PRIVATE };
    const response = await answer();
    onDone(context, request, response.status);
    return response;

    async function answer(): Promise<Response> {
      if (request.method !== "GET" && request.method !== "HEAD") {
        return new Response("Method not allowed.\n", { status: 405, headers: { ...headers, allow: "GET, HEAD" } });
      }
      const refused = await take(networkOf(context.clientAddress));
      if (refused) {
        const wait = { "retry-after": String(Math.ceil((refused.freesInMs + 1) / 1000)) };
        return say(request, 429, "tooMany", { ...headers, ...wait });
      }
      return image ? badge(token, request, headers) : page(token, request, headers);
    }
  };
}
