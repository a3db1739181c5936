import type { WebhookData, WebhookEvent } from "#contract/webhooks.ts";

type AnyData = Partial<WebhookData<"link.created"> & WebhookData<"link.clicked"> & WebhookData<"domain.verified">>;

/** What an event is about, from its exact text: a link, a domain, or the link of the first of several clicks. */
export function subjectOf(body: string): string | null {
  const { data } = JSON.parse(body) as { readonly type?: WebhookEvent; readonly data?: AnyData };
  const link = data?.link ?? data?.clicks?.[0]?.link;
  if (link) return link.short_url.replace(/^https?:\/\//, "");
  return data?.domain?.name ?? null;
}
