import { isNavigation } from "#kernel/is-navigation.ts";
import { html } from "#redirect/html.ts";
import { PAGE_POLICY, renderPage } from "#redirect/page-layout.ts";

type Handler = (request: Request) => Promise<Response>;

const titles: Readonly<Record<number, string>> = {
  401: "You’re signed out",
  403: "You can’t open this",
  404: "There’s nothing here",
  429: "One moment, please",
  500: "Something went wrong",
  503: "Back in a moment",
};

/** Shows errors as a page to people, as JSON to programs: a failed download opens in the browser like any address. */
export function withErrorPages(handle: Handler, site: string): Handler {
  return async (request) => {
    const response = await handle(request);
    if (response.status < 400 || request.method !== "GET" || !isNavigation(request.headers)) return response;
    const { error } = (await response.json()) as { error: { message: string } };
    const title = titles[response.status] ?? "This didn’t work";
    const page = renderPage({
      language: "en",
      site,
      tone: "notice",
      sign: "warning",
      title,
      heading: html`${title}`,
      body: html`<p>${error.message}</p>
<a class="go" href="/console">Back to the console</a>`,
    });
    const headers = new Headers(response.headers);
    headers.set("content-type", "text/html; charset=utf-8");
    headers.set("content-security-policy", PAGE_POLICY);
    return new Response(page, { status: response.status, headers });
  };
}
