// Made by `npm run generate` from contract/; changes made here are lost.

export interface OperationRoute {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly params: readonly string[];
  readonly query: readonly string[];
  /** The media type that a body is sent as; `null` when the operation takes none. */
  readonly mediaType: string | null;
  readonly idempotencyKey: boolean;
  readonly ifMatch: boolean;
  readonly answer: "json" | "bytes" | "none";
  /** Media types in which the answer may come as text instead. */
  readonly textTypes: readonly string[];
}

/** The range of a report; `to` is exclusive. */
export interface AnalyticsPeriod {
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly from: string;
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly to: string;
  readonly timezone: string;
  readonly granularity: "hour" | "day" | "week" | "month";
}

/** Clicks on one link, or on all of the account's links, over a time range. */
export interface AnalyticsReport {
  readonly scope: {
    readonly type: "link";
    readonly link_id: string;
  } | {
    readonly type: "account";
  };
  readonly period: AnalyticsPeriod;
  readonly totals: AnalyticsTotals;
  /** Every bucket of the range in order, including those without clicks. */
  readonly series: readonly ({
    /** A full hour or midnight in `timezone`. The first bucket may start before the range. */
    readonly start: string;
    readonly clicks: number;
    /** Sum of each UTC day's distinct visitors. `null` if the days are too old to tell, or if visitors weren't requested. */
    readonly unique_visitors: number | null;
  })[];
  /** One breakdown per `group_by`, sorted by clicks in descending order. */
  readonly breakdowns: Readonly<Record<string, {
    readonly items: readonly ({
      /** `null` for clicks without a value. */
      readonly key: string | null;
      readonly clicks: number;
      /** Sum of each UTC day's distinct visitors. `null` if the days are too old to tell, or if visitors weren't requested. */
      readonly unique_visitors: number | null;
    })[];
    /** Clicks of all keys beyond `limit`. */
    readonly other_clicks: number;
  }>>;
  readonly previous?: {
    readonly period: AnalyticsPeriod;
    readonly totals: AnalyticsTotals;
  } | undefined;
}

/** Totals over a range. */
export interface AnalyticsTotals {
  readonly clicks: number;
  /** Sum of each UTC day's distinct visitors. `null` if the days are too old to tell, or if visitors weren't requested. */
  readonly unique_visitors: number | null;
  /** How many of the clicks came from a QR code. */
  readonly qr_scans: number;
  /** Visits by bots, previews and prefetches. */
  readonly bot_hits: number;
}

/** Why a link is blocked. */
export type BlockReason = "malware" | "phishing" | "spam" | "legal" | "manual";

/** One problem with one field. */
export interface FieldError {
  readonly location: "body" | "query" | "path" | "header";
  /** The path of the field, such as `utm.utm_source`. Empty for the whole body. */
  readonly field: string;
  readonly code:
    | "required"
    | "type"
    | "too_short"
    | "too_long"
    | "out_of_range"
    | "invalid_format"
    | "not_in_enum"
    | "unknown_field"
    | "read_only_field"
    | "duplicate_parameter"
    | "invalid_url"
    | "scheme_not_allowed"
    | "credentials_not_allowed"
    | "host_not_allowed"
    | "homograph"
    | "self_reference"
    | "nested_shortener"
    | "reserved_slug"
    | "invalid_cursor"
    | "invalid_timezone"
    | "range_too_large"
    | "low_contrast"
    | "in_past"
    | "too_deep";
  readonly message: string;
}

/** The account and plan a token belongs to, and its limits. */
export interface Identity {
  readonly account: {
    readonly id: string;
    readonly name: string;
    /** An RFC 3339 timestamp in UTC with milliseconds. */
    readonly created_at: string;
  };
  readonly token: {
    readonly id: string;
    readonly name: string;
    readonly scopes: readonly Scope[];
    /** An RFC 3339 timestamp in UTC with milliseconds. */
    readonly created_at: string;
    /** An RFC 3339 timestamp in UTC with milliseconds. */
    readonly expires_at: string | null;
    /** An RFC 3339 timestamp in UTC with milliseconds. */
    readonly last_used_at: string | null;
  };
  readonly plan: {
    readonly id: string;
    readonly features: {
      readonly api_access: boolean;
      /** How many active links the plan allows and the account uses. */
      readonly active_links: {
        /** `null` means unlimited. */
        readonly limit: number | null;
        readonly used: number;
      };
      /** How many webhook endpoints the plan allows and the account uses. */
      readonly webhook_endpoints: {
        /** `null` means unlimited. */
        readonly limit: number | null;
        readonly used: number;
      };
    };
  };
  readonly rate_limit: {
    /** Requests allowed per window. `null` means unlimited. */
    readonly limit: number | null;
    readonly window_seconds: number;
  };
  readonly api_version: "v1";
  readonly demo: boolean;
}

/** A short link. */
export interface Link {
  /** An opaque string of at most 255 characters. */
  readonly id: string;
  /** The URL to share. */
  readonly short_url: string;
  /** The host of the short URL. */
  readonly domain: string;
  /** The last part of the short URL. Case-insensitive. */
  readonly slug: string;
  /** Where the short link redirects to: an absolute http or https URL. Returned in normalized form. */
  readonly destination_url: string;
  /** A human-readable name. */
  readonly title: string | null;
  readonly tags: readonly string[];
  /** Contains only the parameters that are set. */
  readonly utm: {
    readonly utm_source?: string | undefined;
    readonly utm_medium?: string | undefined;
    readonly utm_campaign?: string | undefined;
    readonly utm_term?: string | undefined;
    readonly utm_content?: string | undefined;
  };
  readonly state: LinkState;
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly expires_at: string | null;
  /** Whether `expires_at` has passed. */
  readonly expired: boolean;
  /** Set if the operator blocked the link. Blocked links never redirect. */
  readonly blocked: {
    readonly reason: BlockReason;
    /** An RFC 3339 timestamp in UTC with milliseconds. */
    readonly at: string;
  } | null;
  /** Clicks by people. Excludes bots, link previews and HEAD requests. */
  readonly click_count: number;
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly last_clicked_at: string | null;
  /** How the link was created. */
  readonly created_via: "api" | "dashboard" | "import" | "demo";
  /** Increases with every change to the link, but not with clicks. Also sent as the `ETag`. */
  readonly version: number;
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly created_at: string;
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly updated_at: string;
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly paused_at: string | null;
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly archived_at: string | null;
}

export interface LinkArchivedEvent {
  /** The event id (`evt_…`), the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.archived";
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

export interface LinkBlockedEvent {
  /** The event id (`evt_…`), the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.blocked";
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

export interface LinkClickedEvent {
  /** The event id (`evt_…`), the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.clicked";
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly clicks: readonly ({
      /** The click id (`clk_…`), unique per click. */
      readonly id: string;
      /** An RFC 3339 timestamp in UTC with milliseconds. */
      readonly at: string;
      readonly country: string | null;
      readonly referrer: string | null;
      readonly device: string | null;
      readonly browser: string | null;
      readonly os: string | null;
      readonly source: "link" | "qr";
      readonly link: {
        readonly id: string;
        readonly short_url: string;
        readonly domain: string;
        readonly slug: string;
      };
    })[];
  };
}

/** A new link. `null` is the same as leaving the field out. */
export interface LinkCreate {
  /** Where the short link redirects to: an absolute http or https URL. Returned in normalized form. */
  readonly destination_url: string;
  /** The last part of the short URL. Case-insensitive. */
  readonly slug?: string | null | undefined;
  /** A human-readable name. */
  readonly title?: string | null | undefined;
  /** Free-form tags. Tags that differ only in case are merged. */
  readonly tags?: readonly string[] | null | undefined;
  /** UTM parameters added to the destination on every redirect. */
  readonly utm?: {
    readonly utm_source?: string | null | undefined;
    readonly utm_medium?: string | null | undefined;
    readonly utm_campaign?: string | null | undefined;
    readonly utm_term?: string | null | undefined;
    readonly utm_content?: string | null | undefined;
  } | null | undefined;
  /** When the link expires and starts returning 410. Must be in the future. */
  readonly expires_at?: string | null | undefined;
}

export interface LinkCreatedEvent {
  /** The event id (`evt_…`), the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.created";
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

export interface LinkDeletedEvent {
  /** The event id (`evt_…`), the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.deleted";
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

/** One page of links. */
export interface LinkPage {
  readonly data: readonly Link[];
  readonly has_more: boolean;
  /** Pass it as `cursor` to get the next page. `null` on the last page. */
  readonly next_cursor: string | null;
}

/** A JSON merge patch (RFC 7396): omitted fields stay unchanged, `null` clears a field. */
export interface LinkPatch {
  /** Where the short link redirects to: an absolute http or https URL. Returned in normalized form. */
  readonly destination_url?: string | undefined;
  /** A human-readable name. */
  readonly title?: string | null | undefined;
  /** Free-form tags. Tags that differ only in case are merged. */
  readonly tags?: readonly string[] | null | undefined;
  /** UTM parameters added to the destination on every redirect. */
  readonly utm?: {
    readonly utm_source?: string | null | undefined;
    readonly utm_medium?: string | null | undefined;
    readonly utm_campaign?: string | null | undefined;
    readonly utm_term?: string | null | undefined;
    readonly utm_content?: string | null | undefined;
  } | null | undefined;
  /** When the link expires and starts returning 410. Must be in the future. */
  readonly expires_at?: string | null | undefined;
}

export interface LinkPausedEvent {
  /** The event id (`evt_…`), the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.paused";
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

export interface LinkResumedEvent {
  /** The event id (`evt_…`), the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.resumed";
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

/** `active` links redirect, `paused` links are temporarily off, `archived` links are retired. */
export type LinkState = "active" | "paused" | "archived";

export interface LinkUnarchivedEvent {
  /** The event id (`evt_…`), the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.unarchived";
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

export interface LinkUpdatedEvent {
  /** The event id (`evt_…`), the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.updated";
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
    /** The previous values of the fields that changed. */
    readonly previous: {
      /** An opaque string of at most 255 characters. */
      readonly id?: string | undefined;
      /** The URL to share. */
      readonly short_url?: string | undefined;
      /** The host of the short URL. */
      readonly domain?: string | undefined;
      /** The last part of the short URL. Case-insensitive. */
      readonly slug?: string | undefined;
      /** Where the short link redirects to: an absolute http or https URL. Returned in normalized form. */
      readonly destination_url?: string | undefined;
      /** A human-readable name. */
      readonly title?: string | null | undefined;
      readonly tags?: readonly string[] | undefined;
      /** Contains only the parameters that are set. */
      readonly utm?: {
        readonly utm_source?: string | undefined;
        readonly utm_medium?: string | undefined;
        readonly utm_campaign?: string | undefined;
        readonly utm_term?: string | undefined;
        readonly utm_content?: string | undefined;
      } | undefined;
      readonly state?: LinkState | undefined;
      /** An RFC 3339 timestamp in UTC with milliseconds. */
      readonly expires_at?: string | null | undefined;
      /** Whether `expires_at` has passed. */
      readonly expired?: boolean | undefined;
      /** Set if the operator blocked the link. Blocked links never redirect. */
      readonly blocked?: {
        readonly reason: BlockReason;
        /** An RFC 3339 timestamp in UTC with milliseconds. */
        readonly at: string;
      } | null | undefined;
      /** Clicks by people. Excludes bots, link previews and HEAD requests. */
      readonly click_count?: number | undefined;
      /** An RFC 3339 timestamp in UTC with milliseconds. */
      readonly last_clicked_at?: string | null | undefined;
      /** How the link was created. */
      readonly created_via?: "api" | "dashboard" | "import" | "demo" | undefined;
      /** Increases with every change to the link, but not with clicks. Also sent as the `ETag`. */
      readonly version?: number | undefined;
      /** An RFC 3339 timestamp in UTC with milliseconds. */
      readonly created_at?: string | undefined;
      /** An RFC 3339 timestamp in UTC with milliseconds. */
      readonly updated_at?: string | undefined;
      /** An RFC 3339 timestamp in UTC with milliseconds. */
      readonly paused_at?: string | null | undefined;
      /** An RFC 3339 timestamp in UTC with milliseconds. */
      readonly archived_at?: string | null | undefined;
    };
  };
}

/** A permission of an API token. */
export type Scope = "links:read" | "links:write" | "analytics:read" | "qr:read";

export interface WebhookTestEvent {
  /** The event id (`evt_…`), the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "webhook.test";
  /** An RFC 3339 timestamp in UTC with milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly message: string;
  };
}

export interface LinksListQuery {
  /** Links per page. */
  readonly limit?: number | undefined;
  /** The previous page's `next_cursor`. Only valid with the same sort and filters. */
  readonly cursor?: string | undefined;
  /** When sorting by `updated_at` or clicks, a link that changes while you page may be repeated or skipped. */
  readonly sort?: "-created_at" | "created_at" | "-updated_at" | "updated_at" | "-click_count" | "-last_clicked_at" | undefined;
  /** Repeat the parameter to include several states. */
  readonly state?: readonly ("active" | "paused" | "archived" | "all")[] | undefined;
  /** Only links with this tag. Repeat the parameter to require several tags. */
  readonly tag?: readonly string[] | undefined;
  /** Searches the slug, title and destination for this text. Case-insensitive. */
  readonly q?: string | undefined;
  /** Only the link with this slug. Case-insensitive. */
  readonly slug?: string | undefined;
  /** Only links on this short domain. */
  readonly domain?: string | undefined;
  /** How the link was created. */
  readonly created_via?: "api" | "dashboard" | "import" | "demo" | undefined;
  /** `true`: only links whose `expires_at` has passed. `false`: only the others. */
  readonly expired?: boolean | undefined;
  /** `true`: only links that the operator blocked. `false`: only the others. */
  readonly blocked?: boolean | undefined;
  /** Only links created at or after this time. */
  readonly created_after?: string | undefined;
  /** Only links created before this time. */
  readonly created_before?: string | undefined;
}

export interface LinksAnalyticsQuery {
  /** A range that ends now. Defaults to `30d` unless `from` is set. `all` starts when the link or account was created, and extends to cover clicks outside that range (recorded while a clock was wrong). */
  readonly interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "ytd" | "all" | undefined;
  /** Start of the range: an RFC 3339 timestamp, or `YYYY-MM-DD` in `timezone`. Can't be combined with `interval`. */
  readonly from?: string | undefined;
  /** End of the range (exclusive), in the same formats as `from`. Defaults to now. */
  readonly to?: string | undefined;
  /** IANA time zone name. Buckets start at local midnight. */
  readonly timezone?: string | undefined;
  /** Bucket size. By default it depends on the range: `hour` up to 48 hours, `day` up to 92 days, `week` up to 2 years, then `month`. A range can have at most 1000 buckets. */
  readonly granularity?: "hour" | "day" | "week" | "month" | undefined;
  /** Maximum number of items per breakdown. */
  readonly limit?: number | undefined;
  /** Count bots in every figure, not only in `bot_hits`. */
  readonly include_bots?: boolean | undefined;
  /** Count unique visitors for each breakdown item. Set to `false` for much faster reports over millions of clicks. */
  readonly breakdown_visitors?: boolean | undefined;
  /** Adds the totals of the preceding range of the same length. */
  readonly compare?: "previous" | undefined;
  /** `csv` returns the series, or the breakdown if you set one `group_by`. */
  readonly format?: "json" | "csv" | undefined;
  /** Only clicks with this country. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly country?: readonly string[] | undefined;
  /** Only clicks with this region. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly region?: readonly string[] | undefined;
  /** Only clicks with this city. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly city?: readonly string[] | undefined;
  /** Only clicks with this referrer. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly referrer?: readonly string[] | undefined;
  /** Only clicks with this device. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly device?: readonly ("desktop" | "mobile" | "tablet" | "other" | "")[] | undefined;
  /** Only clicks with this browser. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly browser?: readonly string[] | undefined;
  /** Only clicks with this os. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly os?: readonly string[] | undefined;
  /** Only clicks with this language. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly language?: readonly string[] | undefined;
  /** Only clicks with this source. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly source?: readonly ("link" | "qr" | "")[] | undefined;
  /** Only clicks with this utm_source. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly utm_source?: readonly string[] | undefined;
  /** Only clicks with this utm_medium. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly utm_medium?: readonly string[] | undefined;
  /** Only clicks with this utm_campaign. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly utm_campaign?: readonly string[] | undefined;
  /** Only clicks with this utm_term. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly utm_term?: readonly string[] | undefined;
  /** Only clicks with this utm_content. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly utm_content?: readonly string[] | undefined;
  /** Adds a breakdown by this dimension. Repeat the parameter for several breakdowns. */
  readonly group_by?: readonly (
    | "country"
    | "region"
    | "city"
    | "referrer"
    | "device"
    | "browser"
    | "os"
    | "language"
    | "source"
    | "utm_source"
    | "utm_medium"
    | "utm_campaign"
    | "utm_term"
    | "utm_content")[] | undefined;
}

export interface AnalyticsGetQuery {
  /** A range that ends now. Defaults to `30d` unless `from` is set. `all` starts when the link or account was created, and extends to cover clicks outside that range (recorded while a clock was wrong). */
  readonly interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "ytd" | "all" | undefined;
  /** Start of the range: an RFC 3339 timestamp, or `YYYY-MM-DD` in `timezone`. Can't be combined with `interval`. */
  readonly from?: string | undefined;
  /** End of the range (exclusive), in the same formats as `from`. Defaults to now. */
  readonly to?: string | undefined;
  /** IANA time zone name. Buckets start at local midnight. */
  readonly timezone?: string | undefined;
  /** Bucket size. By default it depends on the range: `hour` up to 48 hours, `day` up to 92 days, `week` up to 2 years, then `month`. A range can have at most 1000 buckets. */
  readonly granularity?: "hour" | "day" | "week" | "month" | undefined;
  /** Maximum number of items per breakdown. */
  readonly limit?: number | undefined;
  /** Count bots in every figure, not only in `bot_hits`. */
  readonly include_bots?: boolean | undefined;
  /** Count unique visitors for each breakdown item. Set to `false` for much faster reports over millions of clicks. */
  readonly breakdown_visitors?: boolean | undefined;
  /** Adds the totals of the preceding range of the same length. */
  readonly compare?: "previous" | undefined;
  /** `csv` returns the series, or the breakdown if you set one `group_by`. */
  readonly format?: "json" | "csv" | undefined;
  /** Only clicks with this country. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly country?: readonly string[] | undefined;
  /** Only clicks with this region. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly region?: readonly string[] | undefined;
  /** Only clicks with this city. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly city?: readonly string[] | undefined;
  /** Only clicks with this referrer. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly referrer?: readonly string[] | undefined;
  /** Only clicks with this device. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly device?: readonly ("desktop" | "mobile" | "tablet" | "other" | "")[] | undefined;
  /** Only clicks with this browser. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly browser?: readonly string[] | undefined;
  /** Only clicks with this os. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly os?: readonly string[] | undefined;
  /** Only clicks with this language. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly language?: readonly string[] | undefined;
  /** Only clicks with this source. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly source?: readonly ("link" | "qr" | "")[] | undefined;
  /** Only clicks with this utm_source. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly utm_source?: readonly string[] | undefined;
  /** Only clicks with this utm_medium. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly utm_medium?: readonly string[] | undefined;
  /** Only clicks with this utm_campaign. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly utm_campaign?: readonly string[] | undefined;
  /** Only clicks with this utm_term. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly utm_term?: readonly string[] | undefined;
  /** Only clicks with this utm_content. Repeat to match any of several values; leave the value empty to match clicks without one. */
  readonly utm_content?: readonly string[] | undefined;
  /** Adds a breakdown by this dimension. Repeat the parameter for several breakdowns. */
  readonly group_by?: readonly (
    | "country"
    | "region"
    | "city"
    | "referrer"
    | "device"
    | "browser"
    | "os"
    | "language"
    | "source"
    | "utm_source"
    | "utm_medium"
    | "utm_campaign"
    | "utm_term"
    | "utm_content"
    | "link"
    | "tag")[] | undefined;
  /** Only clicks on the link with this id. Repeat to match any of several links. */
  readonly link?: readonly string[] | undefined;
  /** Only clicks on links that currently have this tag. Leave the value empty to match links without tags. */
  readonly tag?: readonly string[] | undefined;
}

export interface LinksQrQuery {
  readonly format?: "png" | "svg" | undefined;
  /** Width and height in pixels. Modules are whole pixels; any remainder widens the margin. */
  readonly size?: number | undefined;
  /** Width of the quiet zone in modules. Some scanners need 4. */
  readonly margin?: number | undefined;
  /** Error correction level: how much of the code may be covered or damaged. Defaults to `M`, or to the highest level that fits if there is a logo. */
  readonly ecc?: "L" | "M" | "Q" | "H" | undefined;
  /** Color of the modules. Must be darker than the background, with a contrast of at least 3:1. */
  readonly color?: string | undefined;
  readonly background?: string | undefined;
  /** Adds `?qr=1` to the encoded URL, so scans are reported as `source=qr`. */
  readonly mark?: boolean | undefined;
  /** Shape of the modules. Modules smaller than 4 pixels are always square. */
  readonly style?: "square" | "rounded" | "dots" | undefined;
  /** Logo in the center: none, your account's own, or a built-in one. Rejected if the code would become unreadable. */
  readonly logo?: "none" | "account" | "heart" | "link" | "mail" | "pin" | "play" | "star" | undefined;
}

/** What `details` holds for each error code. */
export interface KurzErrorDetails {
  readonly bad_request: undefined;
  readonly invalid_json: {
    readonly offset?: number | undefined;
  } | undefined;
  readonly invalid_idempotency_key: undefined;
  readonly missing_token: undefined;
  readonly invalid_token: undefined;
  readonly token_expired: undefined;
  readonly token_revoked: undefined;
  readonly insufficient_scope: {
    readonly required_scope: Scope;
    readonly token_scopes: readonly Scope[];
  };
  readonly plan_limit: {
    readonly feature: string;
    readonly limit: number;
  };
  readonly account_suspended: undefined;
  readonly not_found: undefined;
  readonly method_not_allowed: {
    readonly allowed: readonly string[];
  };
  readonly invalid_state: {
    readonly state: string;
    readonly action: string;
    readonly allowed_actions: readonly string[];
  };
  readonly slug_taken: {
    readonly slug: string;
  };
  readonly idempotency_in_progress: undefined;
  readonly version_retired: {
    readonly successor: string;
  };
  readonly precondition_failed: {
    readonly current_version: number;
  };
  readonly payload_too_large: {
    readonly limit_bytes: number;
  };
  readonly uri_too_long: undefined;
  readonly unsupported_media_type: {
    readonly accepted: readonly string[];
  };
  readonly validation_failed: {
    readonly errors: readonly FieldError[];
  };
  readonly destination_blocked: {
    readonly reason: BlockReason;
  };
  readonly idempotency_key_reused: undefined;
  readonly rate_limited: {
    readonly limit: number;
    readonly window_seconds: number;
    readonly retry_after: number;
  };
  readonly headers_too_large: undefined;
  readonly internal_error: undefined;
  readonly unavailable: undefined;
}

/** What each kind of webhook event brings. */
export interface WebhookEvents {
  /** A link was created */
  readonly "link.created": LinkCreatedEvent;
  /** A link was updated */
  readonly "link.updated": LinkUpdatedEvent;
  /** A link was paused */
  readonly "link.paused": LinkPausedEvent;
  /** A link was resumed */
  readonly "link.resumed": LinkResumedEvent;
  /** A link was archived */
  readonly "link.archived": LinkArchivedEvent;
  /** A link was unarchived */
  readonly "link.unarchived": LinkUnarchivedEvent;
  /** A link was deleted; the payload contains its last state */
  readonly "link.deleted": LinkDeletedEvent;
  /** The operator blocked a link */
  readonly "link.blocked": LinkBlockedEvent;
  /** People clicked on links (opt-in, batched) */
  readonly "link.clicked": LinkClickedEvent;
  /** A test event, sent on request */
  readonly "webhook.test": WebhookTestEvent;
}

export type WebhookEvent = WebhookEvents[keyof WebhookEvents];

/** What each operation takes and gives. */
export interface Operations {
  /** Retrieve the current identity */
  readonly "me.get": {
    readonly input: Record<never, never>;
    readonly output: Identity;
  };
  /** List links */
  readonly "links.list": {
    readonly input: {
      readonly query?: LinksListQuery | undefined;
    };
    readonly output: LinkPage;
  };
  /** Create a short link */
  readonly "links.create": {
    readonly input: {
      readonly body: LinkCreate;
      readonly idempotencyKey?: string | undefined;
    };
    readonly output: Link;
  };
  /** Retrieve a link */
  readonly "links.get": {
    readonly input: {
      readonly params: {
        /** The link's `id`. */
        readonly id: string;
      };
    };
    readonly output: Link;
  };
  /** Update a link */
  readonly "links.update": {
    readonly input: {
      readonly params: {
        /** The link's `id`. */
        readonly id: string;
      };
      readonly body: LinkPatch;
      /** A version, or an entity tag as it stands in the header. */
      readonly ifMatch?: number | string | undefined;
    };
    readonly output: Link;
  };
  /** Delete a link */
  readonly "links.delete": {
    readonly input: {
      readonly params: {
        /** The link's `id`. */
        readonly id: string;
      };
      /** A version, or an entity tag as it stands in the header. */
      readonly ifMatch?: number | string | undefined;
    };
    readonly output: undefined;
  };
  /** Pause a link */
  readonly "links.pause": {
    readonly input: {
      readonly params: {
        /** The link's `id`. */
        readonly id: string;
      };
      /** A version, or an entity tag as it stands in the header. */
      readonly ifMatch?: number | string | undefined;
    };
    readonly output: Link;
  };
  /** Resume a link */
  readonly "links.resume": {
    readonly input: {
      readonly params: {
        /** The link's `id`. */
        readonly id: string;
      };
      /** A version, or an entity tag as it stands in the header. */
      readonly ifMatch?: number | string | undefined;
    };
    readonly output: Link;
  };
  /** Archive a link */
  readonly "links.archive": {
    readonly input: {
      readonly params: {
        /** The link's `id`. */
        readonly id: string;
      };
      /** A version, or an entity tag as it stands in the header. */
      readonly ifMatch?: number | string | undefined;
    };
    readonly output: Link;
  };
  /** Unarchive a link */
  readonly "links.unarchive": {
    readonly input: {
      readonly params: {
        /** The link's `id`. */
        readonly id: string;
      };
      /** A version, or an entity tag as it stands in the header. */
      readonly ifMatch?: number | string | undefined;
    };
    readonly output: Link;
  };
  /** Retrieve a link's analytics */
  readonly "links.analytics": {
    readonly input: {
      readonly params: {
        /** The link's `id`. */
        readonly id: string;
      };
      readonly query?: LinksAnalyticsQuery | undefined;
    };
    readonly output: AnalyticsReport | string;
  };
  /** Retrieve the account's analytics */
  readonly "analytics.get": {
    readonly input: {
      readonly query?: AnalyticsGetQuery | undefined;
    };
    readonly output: AnalyticsReport | string;
  };
  /** Generate a link's QR code */
  readonly "links.qr": {
    readonly input: {
      readonly params: {
        /** The link's `id`. */
        readonly id: string;
      };
      readonly query?: LinksQrQuery | undefined;
    };
    readonly output: Uint8Array;
  };
}

export type OperationId = keyof Operations;

export const operations: Readonly<Record<OperationId, OperationRoute>> = {
  "me.get": {
    method: "GET",
    path: "/api/v1/me",
    params: [],
    query: [],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: false,
    answer: "json",
    textTypes: [],
  },
  "links.list": {
    method: "GET",
    path: "/api/v1/links",
    params: [],
    query: ["limit", "cursor", "sort", "state", "tag", "q", "slug", "domain", "created_via", "expired", "blocked", "created_after", "created_before"],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: false,
    answer: "json",
    textTypes: [],
  },
  "links.create": {
    method: "POST",
    path: "/api/v1/links",
    params: [],
    query: [],
    mediaType: "application/json",
    idempotencyKey: true,
    ifMatch: false,
    answer: "json",
    textTypes: [],
  },
  "links.get": {
    method: "GET",
    path: "/api/v1/links/{id}",
    params: ["id"],
    query: [],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: false,
    answer: "json",
    textTypes: [],
  },
  "links.update": {
    method: "PATCH",
    path: "/api/v1/links/{id}",
    params: ["id"],
    query: [],
    mediaType: "application/merge-patch+json",
    idempotencyKey: false,
    ifMatch: true,
    answer: "json",
    textTypes: [],
  },
  "links.delete": {
    method: "DELETE",
    path: "/api/v1/links/{id}",
    params: ["id"],
    query: [],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: true,
    answer: "none",
    textTypes: [],
  },
  "links.pause": {
    method: "POST",
    path: "/api/v1/links/{id}/pause",
    params: ["id"],
    query: [],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: true,
    answer: "json",
    textTypes: [],
  },
  "links.resume": {
    method: "POST",
    path: "/api/v1/links/{id}/resume",
    params: ["id"],
    query: [],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: true,
    answer: "json",
    textTypes: [],
  },
  "links.archive": {
    method: "POST",
    path: "/api/v1/links/{id}/archive",
    params: ["id"],
    query: [],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: true,
    answer: "json",
    textTypes: [],
  },
  "links.unarchive": {
    method: "POST",
    path: "/api/v1/links/{id}/unarchive",
    params: ["id"],
    query: [],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: true,
    answer: "json",
    textTypes: [],
  },
  "links.analytics": {
    method: "GET",
    path: "/api/v1/links/{id}/analytics",
    params: ["id"],
    query: ["interval", "from", "to", "timezone", "granularity", "limit", "include_bots", "breakdown_visitors", "compare", "format", "country", "region", "city", "referrer", "device", "browser", "os", "language", "source", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "group_by"],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: false,
    answer: "json",
    textTypes: ["text/csv"],
  },
  "analytics.get": {
    method: "GET",
    path: "/api/v1/analytics",
    params: [],
    query: ["interval", "from", "to", "timezone", "granularity", "limit", "include_bots", "breakdown_visitors", "compare", "format", "country", "region", "city", "referrer", "device", "browser", "os", "language", "source", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "group_by", "link", "tag"],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: false,
    answer: "json",
    textTypes: ["text/csv"],
  },
  "links.qr": {
    method: "GET",
    path: "/api/v1/links/{id}/qr",
    params: ["id"],
    query: ["format", "size", "margin", "ecc", "color", "background", "mark", "style", "logo"],
    mediaType: null,
    idempotencyKey: false,
    ifMatch: false,
    answer: "bytes",
    textTypes: [],
  },
};
