import { hostNameOf } from "#shared/host-name.ts";
import type { RequestText } from "./click-sink.ts";

/**
 * The request without its Referer, if that is a page of the visited host: a visitor who gets on from the form of a guarded
 * link has come from elsewhere, and nobody knows from where.
 */
export function withoutOwnReferer(request: RequestText): RequestText {
  const { headers } = request;
  const page = URL.parse(headers.get("referer") ?? "");
  if (page === null || hostNameOf(page.host) !== hostNameOf(headers.get("host") ?? "")) return request;
  return withoutReferer(request);
}

export const withoutReferer = ({ method, url, headers }: RequestText): RequestText => ({
  method,
  url,
  headers: { get: (name) => (name === "referer" ? null : headers.get(name)) },
});
