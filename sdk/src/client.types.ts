import type { Kurz } from "./client.ts";
import type { AnalyticsReport, Identity, Link } from "./generated.ts";
import type { KurzError } from "./kurz-error.ts";

/** Never run: the compiler checks that the client's types match the contract exactly. */
export async function probe(kurz: Kurz, error: KurzError): Promise<void> {
  const { data: identity } = await kurz.request("me.get");
  identity satisfies Identity;
  const { data: link } = await kurz.request("links.get", { params: { id: "lnk_1" } });
  link satisfies Link;
  const { data: nothing } = await kurz.request("links.delete", { params: { id: "lnk_1" }, ifMatch: 3 });
  nothing satisfies undefined;

  (await kurz.links.analytics("lnk_1")) satisfies AnalyticsReport;
  (await kurz.links.analytics("lnk_1", { interval: "7d", format: "csv" })) satisfies string;
  (await kurz.analytics.get({ group_by: ["link", "tag"] })) satisfies AnalyticsReport;
  const format: "json" | "csv" = Math.random() < 0.5 ? "json" : "csv";
  (await kurz.analytics.get({ format })) satisfies AnalyticsReport | string;
  // @ts-expect-error: a report may be text if the format is unknown.
  (await kurz.analytics.get({ format })) satisfies AnalyticsReport;
  // @ts-expect-error: a single link can't be grouped by link.
  await kurz.links.analytics("lnk_1", { group_by: ["link"] });

  const { data: named } = await kurz.links.list({ fields: ["id", "title"] });
  named satisfies readonly { readonly id: string; readonly title: string | null }[];
  // @ts-expect-error: the slug wasn't requested.
  named[0]?.slug;
  (await kurz.links.list({ limit: 5 })).data satisfies readonly Link[];

  // @ts-expect-error: the operation requires an id.
  await kurz.request("links.get");
  // @ts-expect-error: there is no such operation.
  await kurz.request("links.burn", { params: { id: "lnk_1" } });
  // @ts-expect-error: the destination is required.
  await kurz.links.create({ title: "Spring sale" });
  // @ts-expect-error: a link's slug never changes.
  await kurz.links.update("lnk_1", { slug: "other" });
  // @ts-expect-error: there is no such state.
  await kurz.links.list({ state: ["gone"] });
  // @ts-expect-error: reading takes no If-Match.
  await kurz.links.get("lnk_1", { ifMatch: 3 });

  if (error.is("plan_limit")) error.details satisfies { feature: string; limit: number };
  if (error.is("not_found")) error.details satisfies undefined;
  // @ts-expect-error: the type of `details` is unknown until the code is known.
  error.details.limit;
  // @ts-expect-error: there is no such code.
  error.is("no_such_code");
}
