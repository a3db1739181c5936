import fc from "fast-check";
import type { LinkCreate, LinkPatch } from "#contract/link-record.ts";
import { type LinkAction, linkActions } from "#contract/links.ts";

export type LinkStep =
  | { readonly do: "update"; readonly patch: LinkPatch }
  | { readonly do: LinkAction | "delete" | "restore" };

const url = fc.constantFrom("https://example.com/", "https://example.com/a?b=c", "https://example.org/sale#now");
const text = fc.constantFrom("Spring", "Sommer", "été", '"quoted"', "a".repeat(200));
const orNull = <T>(some: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(some, { freq: 3 });

// Far enough that no test sees them pass.
const later = fc.constantFrom("2199-01-01T00:00:00.000Z", "2199-06-01T12:30:00.500Z");
const rules = fc.constantFrom<NonNullable<LinkPatch["rules"]>>(
  [],
  [{ name: "ios", when: { os: ["iOS"] }, destination_url: "https://example.com/ios" }],
  [
    {
      name: "test",
      split: [
        { name: "a", weight: 60, destination_url: "https://example.com/a" },
        { name: "b", weight: 40, destination_url: "https://example.com/b" },
      ],
    },
  ],
);

const fields = {
  destination_url: url,
  title: orNull(text),
  tags: orNull(fc.uniqueArray(fc.constantFrom("one", "Two", "drei"), { maxLength: 3 })),
  utm: orNull(
    fc.record(
      { utm_source: orNull(fc.constantFrom("mail", "web")), utm_medium: orNull(fc.constant("cpc")) },
      { requiredKeys: [] },
    ),
  ),
  expires_at: orNull(later),
  max_clicks: orNull(fc.integer({ min: 1, max: 5 })),
  expired_url: orNull(url),
  rules: orNull(rules),
  redirect_status: orNull(fc.constantFrom(301 as const, 302 as const, 307 as const)),
  forward_query: orNull(fc.boolean()),
  forward_path: orNull(fc.boolean()),
  preview: orNull(fc.record({ title: orNull(text), image_url: orNull(url) }, { requiredKeys: [] })),
  notes: orNull(text),
};

export const someLink: fc.Arbitrary<LinkCreate> = fc.record(fields, { requiredKeys: ["destination_url"] });
export const somePatch: fc.Arbitrary<LinkPatch> = fc.record(fields, { requiredKeys: [] });

/** What may be done to one link, also what its state doesn't allow. */
export const someStep: fc.Arbitrary<LinkStep> = fc.oneof(
  { weight: 3, arbitrary: somePatch.map((patch) => ({ do: "update" as const, patch })) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...linkActions, "delete" as const, "restore" as const).map((name) => ({ do: name })),
  },
);
