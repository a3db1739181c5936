import { z } from "zod";
import { Destination } from "./destination.ts";
import { BlockReason, fieldProblem } from "./errors.ts";
import { Timestamp } from "./fields.ts";

export const DOMAIN_NAME_MAX = 253;
const APPS_MAX = 500;

const Text = z.string().max(2000);

const appleParts = ["applinks", "webcredentials", "appclips", "activitycontinuation"] as const;

/** As Apple documents it; only the outline is checked, since its parts change with each release of iOS. */
const AppleAppSiteAssociation = z
  .looseObject({
    applinks: z.looseObject({ details: z.array(z.looseObject({})).max(APPS_MAX) }).optional(),
    webcredentials: z.looseObject({ apps: z.array(Text).max(APPS_MAX) }).optional(),
    appclips: z.looseObject({ apps: z.array(Text).max(APPS_MAX) }).optional(),
    activitycontinuation: z.looseObject({ apps: z.array(Text).max(APPS_MAX) }).optional(),
  })
  .refine(
    (document) => appleParts.some((part) => document[part] !== undefined),
    fieldProblem("required", `Needs at least one of: ${appleParts.join(", ")}.`),
  )
  .meta({
    id: "AppleAppSiteAssociation",
    description:
      "Served at `/.well-known/apple-app-site-association` on the domain, for iOS apps. Has at least one of these parts.",
  });

/** The statement list of Google's Digital Asset Links. */
const AssetLinks = z
  .array(z.looseObject({ relation: z.array(Text).min(1).max(20), target: z.looseObject({ namespace: Text }) }))
  .max(APPS_MAX)
  .meta({ id: "AssetLinks", description: "Served at `/.well-known/assetlinks.json` on the domain, for Android apps." });

export const domainStatuses = ["pending", "verified", "lost"] as const;
export const DomainStatus = z.enum(domainStatuses).meta({
  id: "DomainStatus",
  description:
    "`pending` until the TXT record was found, then `verified`. `lost` if another account proved that it owns the " +
    "domain after your record was gone, or the operator gave it to another account.",
});
export type DomainStatus = z.output<typeof DomainStatus>;

const RootRedirect = Destination.meta({ description: "Where visitors of `/` go." });
const NotFoundRedirect = Destination.meta({ description: "Where visitors of unknown short URLs go." });
const ExpiredRedirect = Destination.meta({ description: "Where visitors of expired and used-up links go." });

export const domainUrlFields = ["root_redirect_url", "not_found_redirect_url", "expired_redirect_url"] as const;
export type DomainUrlField = (typeof domainUrlFields)[number];

const shownUrl = (what: string) => z.string().nullable().describe(what);

export const Domain = z
  .object({
    id: z.string().describe("An opaque string of at most 255 characters."),
    name: z.string().describe("The host name in ASCII, as in DNS."),
    display_name: z.string().describe("The host name in its own letters, such as `kürz.example`."),
    status: DomainStatus,
    is_default: z.boolean().describe("Whether new links use this domain unless they name another."),
    verification: z
      .object({ type: z.literal("TXT"), name: z.string(), value: z.string() })
      .describe("The DNS record that proves you own the domain. Keep it after the domain is verified."),
    last_checked_at: Timestamp.nullable().describe("When the record was last looked up."),
    last_problem: z.string().nullable().describe("Why the record couldn't be found. `null` if all is well."),
    verified_at: Timestamp.nullable(),
    verified_by: z
      .enum(["dns", "operator"])
      .nullable()
      .describe(
        "What proves it: the DNS record, or the operator's word. In the second case no record is needed, even if " +
          "`last_problem` says that a check found none. `null` unless `status` is `verified`.",
      ),
    root_redirect_url: shownUrl("Where visitors of `/` go."),
    not_found_redirect_url: shownUrl("Where visitors of unknown short URLs go."),
    expired_redirect_url: shownUrl("Where visitors of expired and used-up links go."),
    blocked_urls: z
      .array(z.object({ field: z.enum(domainUrlFields), reason: BlockReason }))
      .describe("Which of these URLs the operator blocks. Visitors get what they would if they weren't set."),
    app_links: z
      .object({
        apple_app_site_association: AppleAppSiteAssociation.nullable(),
        assetlinks: AssetLinks.nullable(),
      })
      .describe("Lets iOS and Android apps open your short links."),
    link_count: z.int().describe("How many links the domain has, in any state."),
    version: z.int().describe("Increases with every change. Also sent as the `ETag`."),
    created_at: Timestamp,
    updated_at: Timestamp,
  })
  .meta({ id: "Domain", description: "A host name of your own for short links." });
export type Domain = z.output<typeof Domain>;

/** In events; the documents for apps can be larger than an event may be. */
export const DomainSummary = Domain.omit({ app_links: true }).meta({
  id: "DomainSummary",
  description: "A domain without its `app_links`.",
});
export type DomainSummary = z.output<typeof DomainSummary>;

const settings = {
  root_redirect_url: RootRedirect.nullish(),
  not_found_redirect_url: NotFoundRedirect.nullish(),
  expired_redirect_url: ExpiredRedirect.nullish(),
  app_links: z
    .strictObject({
      apple_app_site_association: AppleAppSiteAssociation.nullish(),
      assetlinks: AssetLinks.nullish(),
    })
    .nullish(),
};

export const DomainCreate = z
  .strictObject({
    name: z
      .string()
      .min(1)
      .max(DOMAIN_NAME_MAX)
      .meta({
        description: "A host name, such as `go.example.com`. Without a port.",
        examples: ["go.acme.example"],
      }),
    ...settings,
  })
  .meta({ id: "DomainCreate", description: "A new domain. `null` is the same as leaving the field out." });
export type DomainCreate = z.output<typeof DomainCreate>;

export const DomainPatch = z
  .strictObject({
    is_default: z.boolean().optional().describe("Only a verified domain can be the default."),
    ...settings,
  })
  .meta({
    id: "DomainPatch",
    description: "A JSON merge patch (RFC 7396): omitted fields stay unchanged, `null` clears a field.",
  });
export type DomainPatch = z.output<typeof DomainPatch>;

export const DomainPage = z
  .object({
    data: z.array(Domain),
    has_more: z.boolean(),
    next_cursor: z.string().nullable().describe("Pass it as `cursor` to get the next page. `null` on the last page."),
  })
  .meta({ id: "DomainPage", description: "One page of domains." });
export type DomainPage = z.output<typeof DomainPage>;

/** The domain shown in the documentation's examples. */
export const exampleDomain = {
  id: "dom_01k9zq3v7m8r5c2x4t6w0h1jbc",
  name: "go.acme.example",
  display_name: "go.acme.example",
  status: "pending",
  is_default: false,
  verification: {
    type: "TXT",
    name: "_kurz.go.acme.example",
    value: "kurz-verify=3f6wq0zj5m8c2x4t6w0h1jbq7k",
  },
  last_checked_at: null,
  last_problem: null,
  verified_at: null,
  verified_by: null,
  root_redirect_url: "https://acme.example/",
  not_found_redirect_url: null,
  expired_redirect_url: null,
  blocked_urls: [],
  app_links: { apple_app_site_association: null, assetlinks: null },
  link_count: 0,
  version: 1,
  created_at: "2026-01-02T03:04:05.678Z",
  updated_at: "2026-01-02T03:04:05.678Z",
} as const satisfies Domain;
