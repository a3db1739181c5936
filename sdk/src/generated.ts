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
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly from: string;
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly to: string;
  readonly timezone: string;
  readonly granularity: "hour" | "day" | "week" | "month";
}

/** Clicks of one link or of the account over a range of time. */
export interface AnalyticsReport {
  readonly scope: {
    readonly type: "link";
    readonly link_id: string;
  } | {
    readonly type: "account";
  };
  readonly period: AnalyticsPeriod;
  readonly totals: AnalyticsTotals;
  /** Every bucket of the range in order, also those without a click. */
  readonly series: readonly ({
    /** A local full hour or midnight; the first may lie before the range. */
    readonly start: string;
    readonly clicks: number;
    /** Distinct visitors of each UTC day, added up. `null` where the days are too old to tell, or nobody asked. */
    readonly unique_visitors: number | null;
  })[];
  /** One for each `group_by`, the keys with most clicks first. */
  readonly breakdowns: Readonly<Record<string, {
    readonly items: readonly ({
      /** `null` for clicks without a value. */
      readonly key: string | null;
      readonly clicks: number;
      /** Distinct visitors of each UTC day, added up. `null` where the days are too old to tell, or nobody asked. */
      readonly unique_visitors: number | null;
    })[];
    /** Clicks of the keys beyond `limit`. */
    readonly other_clicks: number;
  }>>;
  readonly previous?: {
    readonly period: AnalyticsPeriod;
    readonly totals: AnalyticsTotals;
  } | undefined;
}

/** What a range adds up to. */
export interface AnalyticsTotals {
  readonly clicks: number;
  /** Distinct visitors of each UTC day, added up. `null` where the days are too old to tell, or nobody asked. */
  readonly unique_visitors: number | null;
  /** Those of the clicks that came from a QR code. */
  readonly qr_scans: number;
  /** Visits by bots, previews and prefetches. */
  readonly bot_hits: number;
}

/** Why a link is blocked. */
export type BlockReason = "malware" | "phishing" | "spam" | "legal" | "manual";

/** One thing that is wrong with one field. */
export interface FieldError {
  readonly location: "body" | "query" | "path" | "header";
  /** The path of the field, as in `utm.utm_source`; empty for the whole body. */
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

/** Who a token speaks for, and what it may use. */
export interface Identity {
  readonly account: {
    readonly id: string;
    readonly name: string;
    /** An instant: RFC 3339, UTC, milliseconds. */
    readonly created_at: string;
  };
  readonly token: {
    readonly id: string;
    readonly name: string;
    readonly scopes: readonly Scope[];
    /** An instant: RFC 3339, UTC, milliseconds. */
    readonly created_at: string;
    /** An instant: RFC 3339, UTC, milliseconds. */
    readonly expires_at: string | null;
    /** An instant: RFC 3339, UTC, milliseconds. */
    readonly last_used_at: string | null;
  };
  readonly plan: {
    readonly id: string;
    readonly features: {
      readonly api_access: boolean;
      /** How many active links the plan allows and the account has. */
      readonly active_links: {
        /** `null` means unlimited. */
        readonly limit: number | null;
        readonly used: number;
      };
      /** How many webhook endpoints the plan allows and the account has. */
      readonly webhook_endpoints: {
        /** `null` means unlimited. */
        readonly limit: number | null;
        readonly used: number;
      };
    };
  };
  readonly rate_limit: {
    /** Requests in any window; `null` where there is no limit. */
    readonly limit: number | null;
    readonly window_seconds: number;
  };
  readonly api_version: "v1";
  readonly demo: boolean;
}

/** A short link. */
export interface Link {
  /** Opaque, at most 255 characters. */
  readonly id: string;
  /** The address to share. */
  readonly short_url: string;
  /** The host of the short address. */
  readonly domain: string;
  /** The last part of the short address. Matched without regard to case. */
  readonly slug: string;
  /** Where the short link leads: an absolute http(s) URL. Returned in its serialised form. */
  readonly destination_url: string;
  /** A label for people. */
  readonly title: string | null;
  readonly tags: readonly string[];
  /** Only the parameters that are set. */
  readonly utm: {
    readonly utm_source?: string | undefined;
    readonly utm_medium?: string | undefined;
    readonly utm_campaign?: string | undefined;
    readonly utm_term?: string | undefined;
    readonly utm_content?: string | undefined;
  };
  readonly state: LinkState;
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly expires_at: string | null;
  /** Whether `expires_at` has passed. */
  readonly expired: boolean;
  /** Set by the operator; a blocked link never redirects. */
  readonly blocked: {
    readonly reason: BlockReason;
    /** An instant: RFC 3339, UTC, milliseconds. */
    readonly at: string;
  } | null;
  /** Clicks by people; bots, previews and HEAD requests are left out. */
  readonly click_count: number;
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly last_clicked_at: string | null;
  /** What made the link. */
  readonly created_via: "api" | "dashboard" | "import" | "demo";
  /** Goes up with every change of the link, never with a click. The ETag carries it. */
  readonly version: number;
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly created_at: string;
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly updated_at: string;
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly paused_at: string | null;
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly archived_at: string | null;
}

export interface LinkArchivedEvent {
  /** The event, `evt_…`; the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.archived";
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

export interface LinkBlockedEvent {
  /** The event, `evt_…`; the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.blocked";
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

export interface LinkClickedEvent {
  /** The event, `evt_…`; the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.clicked";
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly clicks: readonly ({
      /** The click, `clk_…`; no other has it. */
      readonly id: string;
      /** An instant: RFC 3339, UTC, milliseconds. */
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

/** A new link. `null` means the same as leaving the field out. */
export interface LinkCreate {
  /** Where the short link leads: an absolute http(s) URL. Returned in its serialised form. */
  readonly destination_url: string;
  /** The last part of the short address. Matched without regard to case. */
  readonly slug?: string | null | undefined;
  /** A label for people. */
  readonly title?: string | null | undefined;
  /** Free tags; equal ones (whatever their case) are merged. */
  readonly tags?: readonly string[] | null | undefined;
  /** UTM parameters that every visitor is sent on with. */
  readonly utm?: {
    readonly utm_source?: string | null | undefined;
    readonly utm_medium?: string | null | undefined;
    readonly utm_campaign?: string | null | undefined;
    readonly utm_term?: string | null | undefined;
    readonly utm_content?: string | null | undefined;
  } | null | undefined;
  /** From this instant on the link answers 410. Must lie in the future. */
  readonly expires_at?: string | null | undefined;
}

export interface LinkCreatedEvent {
  /** The event, `evt_…`; the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.created";
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

export interface LinkDeletedEvent {
  /** The event, `evt_…`; the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.deleted";
  /** An instant: RFC 3339, UTC, milliseconds. */
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
  /** Send it as `cursor` for the next page; `null` on the last. */
  readonly next_cursor: string | null;
}

/** A JSON merge patch (RFC 7396): absent means unchanged, `null` clears. */
export interface LinkPatch {
  /** Where the short link leads: an absolute http(s) URL. Returned in its serialised form. */
  readonly destination_url?: string | undefined;
  /** A label for people. */
  readonly title?: string | null | undefined;
  /** Free tags; equal ones (whatever their case) are merged. */
  readonly tags?: readonly string[] | null | undefined;
  /** UTM parameters that every visitor is sent on with. */
  readonly utm?: {
    readonly utm_source?: string | null | undefined;
    readonly utm_medium?: string | null | undefined;
    readonly utm_campaign?: string | null | undefined;
    readonly utm_term?: string | null | undefined;
    readonly utm_content?: string | null | undefined;
  } | null | undefined;
  /** From this instant on the link answers 410. Must lie in the future. */
  readonly expires_at?: string | null | undefined;
}

export interface LinkPausedEvent {
  /** The event, `evt_…`; the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.paused";
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

export interface LinkResumedEvent {
  /** The event, `evt_…`; the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.resumed";
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

/** `active` redirects, `paused` is off for now, `archived` is retired. */
export type LinkState = "active" | "paused" | "archived";

export interface LinkUnarchivedEvent {
  /** The event, `evt_…`; the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.unarchived";
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
  };
}

export interface LinkUpdatedEvent {
  /** The event, `evt_…`; the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "link.updated";
  /** An instant: RFC 3339, UTC, milliseconds. */
  readonly timestamp: string;
  readonly api_version: "v1";
  readonly account_id: string;
  readonly data: {
    readonly link: Link;
    /** The fields that changed, as they were before. */
    readonly previous: {
      /** Opaque, at most 255 characters. */
      readonly id?: string | undefined;
      /** The address to share. */
      readonly short_url?: string | undefined;
      /** The host of the short address. */
      readonly domain?: string | undefined;
      /** The last part of the short address. Matched without regard to case. */
      readonly slug?: string | undefined;
      /** Where the short link leads: an absolute http(s) URL. Returned in its serialised form. */
      readonly destination_url?: string | undefined;
      /** A label for people. */
      readonly title?: string | null | undefined;
      readonly tags?: readonly string[] | undefined;
      /** Only the parameters that are set. */
      readonly utm?: {
        readonly utm_source?: string | undefined;
        readonly utm_medium?: string | undefined;
        readonly utm_campaign?: string | undefined;
        readonly utm_term?: string | undefined;
        readonly utm_content?: string | undefined;
      } | undefined;
      readonly state?: LinkState | undefined;
      /** An instant: RFC 3339, UTC, milliseconds. */
      readonly expires_at?: string | null | undefined;
      /** Whether `expires_at` has passed. */
      readonly expired?: boolean | undefined;
      /** Set by the operator; a blocked link never redirects. */
      readonly blocked?: {
        readonly reason: BlockReason;
        /** An instant: RFC 3339, UTC, milliseconds. */
        readonly at: string;
      } | null | undefined;
      /** Clicks by people; bots, previews and HEAD requests are left out. */
      readonly click_count?: number | undefined;
      /** An instant: RFC 3339, UTC, milliseconds. */
      readonly last_clicked_at?: string | null | undefined;
      /** What made the link. */
      readonly created_via?: "api" | "dashboard" | "import" | "demo" | undefined;
      /** Goes up with every change of the link, never with a click. The ETag carries it. */
      readonly version?: number | undefined;
      /** An instant: RFC 3339, UTC, milliseconds. */
      readonly created_at?: string | undefined;
      /** An instant: RFC 3339, UTC, milliseconds. */
      readonly updated_at?: string | undefined;
      /** An instant: RFC 3339, UTC, milliseconds. */
      readonly paused_at?: string | null | undefined;
      /** An instant: RFC 3339, UTC, milliseconds. */
      readonly archived_at?: string | null | undefined;
    };
  };
}

/** A permission that a token carries. */
export type Scope = "links:read" | "links:write" | "analytics:read" | "qr:read";

export interface WebhookTestEvent {
  /** The event, `evt_…`; the same for every endpoint that receives it. */
  readonly id: string;
  readonly type: "webhook.test";
  /** An instant: RFC 3339, UTC, milliseconds. */
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
  /** `next_cursor` of the page before. Bound to sort and filters. */
  readonly cursor?: string | undefined;
  /** By a key that moves (`updated_at`, clicks), a link that changes meanwhile may repeat or be missed. */
  readonly sort?: "-created_at" | "created_at" | "-updated_at" | "updated_at" | "-click_count" | "-last_clicked_at" | undefined;
  /** May be repeated. */
  readonly state?: readonly ("active" | "paused" | "archived" | "all")[] | undefined;
  /** May be repeated: links with all of them. */
  readonly tag?: readonly string[] | undefined;
  /** Part of the slug, title or destination, whatever its case. */
  readonly q?: string | undefined;
  /** Exactly this slug, whatever its case. */
  readonly slug?: string | undefined;
  /** Only links on this short domain. */
  readonly domain?: string | undefined;
  /** What made the link. */
  readonly created_via?: "api" | "dashboard" | "import" | "demo" | undefined;
  /** Only links whose `expires_at` has passed, or only the others. */
  readonly expired?: boolean | undefined;
  /** Only links that the operator blocked, or only the others. */
  readonly blocked?: boolean | undefined;
  /** Created at or after this instant. */
  readonly created_after?: string | undefined;
  /** Created before this instant. */
  readonly created_before?: string | undefined;
}

export interface LinksAnalyticsQuery {
  /** A range that ends now; `30d` when neither this nor `from` is given. `all` starts at the creation, and is wider where clicks lie before it or in the future because a clock was wrong. */
  readonly interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "ytd" | "all" | undefined;
  /** RFC 3339 instant, or `YYYY-MM-DD` in `timezone`. Not with `interval`. */
  readonly from?: string | undefined;
  /** As `from`, exclusive; now when left out. */
  readonly to?: string | undefined;
  /** IANA name; buckets start at its local midnight. */
  readonly timezone?: string | undefined;
  /** When left out, by the length of the range: `hour` up to 48 hours, `day` up to 92 days, `week` up to 2 years. A range has at most 1000 buckets. */
  readonly granularity?: "hour" | "day" | "week" | "month" | undefined;
  /** Items in each breakdown. */
  readonly limit?: number | undefined;
  /** Count bots everywhere, not only in `bot_hits`. */
  readonly include_bots?: boolean | undefined;
  /** Count the visitors of each item in breakdowns. Without them a report of millions of clicks is there much sooner. */
  readonly breakdown_visitors?: boolean | undefined;
  /** Adds the totals of the range of the same length before. */
  readonly compare?: "previous" | undefined;
  /** CSV gives the series, or the one `group_by` asked for. */
  readonly format?: "json" | "csv" | undefined;
  /** Only clicks with this country; repeated, any of them; empty, clicks without one. */
  readonly country?: readonly string[] | undefined;
  /** Only clicks with this region; repeated, any of them; empty, clicks without one. */
  readonly region?: readonly string[] | undefined;
  /** Only clicks with this city; repeated, any of them; empty, clicks without one. */
  readonly city?: readonly string[] | undefined;
  /** Only clicks with this referrer; repeated, any of them; empty, clicks without one. */
  readonly referrer?: readonly string[] | undefined;
  /** Only clicks with this device; repeated, any of them; empty, clicks without one. */
  readonly device?: readonly ("desktop" | "mobile" | "tablet" | "other" | "")[] | undefined;
  /** Only clicks with this browser; repeated, any of them; empty, clicks without one. */
  readonly browser?: readonly string[] | undefined;
  /** Only clicks with this os; repeated, any of them; empty, clicks without one. */
  readonly os?: readonly string[] | undefined;
  /** Only clicks with this language; repeated, any of them; empty, clicks without one. */
  readonly language?: readonly string[] | undefined;
  /** Only clicks with this source; repeated, any of them; empty, clicks without one. */
  readonly source?: readonly ("link" | "qr" | "")[] | undefined;
  /** Only clicks with this utm_source; repeated, any of them; empty, clicks without one. */
  readonly utm_source?: readonly string[] | undefined;
  /** Only clicks with this utm_medium; repeated, any of them; empty, clicks without one. */
  readonly utm_medium?: readonly string[] | undefined;
  /** Only clicks with this utm_campaign; repeated, any of them; empty, clicks without one. */
  readonly utm_campaign?: readonly string[] | undefined;
  /** Only clicks with this utm_term; repeated, any of them; empty, clicks without one. */
  readonly utm_term?: readonly string[] | undefined;
  /** Only clicks with this utm_content; repeated, any of them; empty, clicks without one. */
  readonly utm_content?: readonly string[] | undefined;
  /** May be repeated: one breakdown each. */
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
  /** A range that ends now; `30d` when neither this nor `from` is given. `all` starts at the creation, and is wider where clicks lie before it or in the future because a clock was wrong. */
  readonly interval?: "24h" | "7d" | "30d" | "90d" | "1y" | "mtd" | "ytd" | "all" | undefined;
  /** RFC 3339 instant, or `YYYY-MM-DD` in `timezone`. Not with `interval`. */
  readonly from?: string | undefined;
  /** As `from`, exclusive; now when left out. */
  readonly to?: string | undefined;
  /** IANA name; buckets start at its local midnight. */
  readonly timezone?: string | undefined;
  /** When left out, by the length of the range: `hour` up to 48 hours, `day` up to 92 days, `week` up to 2 years. A range has at most 1000 buckets. */
  readonly granularity?: "hour" | "day" | "week" | "month" | undefined;
  /** Items in each breakdown. */
  readonly limit?: number | undefined;
  /** Count bots everywhere, not only in `bot_hits`. */
  readonly include_bots?: boolean | undefined;
  /** Count the visitors of each item in breakdowns. Without them a report of millions of clicks is there much sooner. */
  readonly breakdown_visitors?: boolean | undefined;
  /** Adds the totals of the range of the same length before. */
  readonly compare?: "previous" | undefined;
  /** CSV gives the series, or the one `group_by` asked for. */
  readonly format?: "json" | "csv" | undefined;
  /** Only clicks with this country; repeated, any of them; empty, clicks without one. */
  readonly country?: readonly string[] | undefined;
  /** Only clicks with this region; repeated, any of them; empty, clicks without one. */
  readonly region?: readonly string[] | undefined;
  /** Only clicks with this city; repeated, any of them; empty, clicks without one. */
  readonly city?: readonly string[] | undefined;
  /** Only clicks with this referrer; repeated, any of them; empty, clicks without one. */
  readonly referrer?: readonly string[] | undefined;
  /** Only clicks with this device; repeated, any of them; empty, clicks without one. */
  readonly device?: readonly ("desktop" | "mobile" | "tablet" | "other" | "")[] | undefined;
  /** Only clicks with this browser; repeated, any of them; empty, clicks without one. */
  readonly browser?: readonly string[] | undefined;
  /** Only clicks with this os; repeated, any of them; empty, clicks without one. */
  readonly os?: readonly string[] | undefined;
  /** Only clicks with this language; repeated, any of them; empty, clicks without one. */
  readonly language?: readonly string[] | undefined;
  /** Only clicks with this source; repeated, any of them; empty, clicks without one. */
  readonly source?: readonly ("link" | "qr" | "")[] | undefined;
  /** Only clicks with this utm_source; repeated, any of them; empty, clicks without one. */
  readonly utm_source?: readonly string[] | undefined;
  /** Only clicks with this utm_medium; repeated, any of them; empty, clicks without one. */
  readonly utm_medium?: readonly string[] | undefined;
  /** Only clicks with this utm_campaign; repeated, any of them; empty, clicks without one. */
  readonly utm_campaign?: readonly string[] | undefined;
  /** Only clicks with this utm_term; repeated, any of them; empty, clicks without one. */
  readonly utm_term?: readonly string[] | undefined;
  /** Only clicks with this utm_content; repeated, any of them; empty, clicks without one. */
  readonly utm_content?: readonly string[] | undefined;
  /** May be repeated: one breakdown each. */
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
  /** Only clicks on the link with this id; repeated, any of them. */
  readonly link?: readonly string[] | undefined;
  /** Only clicks on links that carry this tag now; empty, on links without a tag. */
  readonly tag?: readonly string[] | undefined;
}

export interface LinksQrQuery {
  readonly format?: "png" | "svg" | undefined;
  /** Pixels of each side. Modules are whole pixels; what is left over widens the margin. */
  readonly size?: number | undefined;
  /** The quiet zone in modules. Readers may need 4. */
  readonly margin?: number | undefined;
  /** Error correction: how much may be hidden or damaged. `M` when left out; with a logo, the most that there is room for. */
  readonly ecc?: "L" | "M" | "Q" | "H" | undefined;
  /** Of the modules; must be darker than the background, by 3:1 at least. */
  readonly color?: string | undefined;
  readonly background?: string | undefined;
  /** Encode `?qr=1`, so that scans count as `source=qr`. */
  readonly mark?: boolean | undefined;
  /** The shape of the modules. Below 4 pixels each, they are square in every style. */
  readonly style?: "square" | "rounded" | "dots" | undefined;
  /** In the middle: nothing, the account's own logo, or a built-in one. Refused where the code would be unreadable. */
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
  /** A link was changed */
  readonly "link.updated": LinkUpdatedEvent;
  /** A link was paused */
  readonly "link.paused": LinkPausedEvent;
  /** A link was resumed */
  readonly "link.resumed": LinkResumedEvent;
  /** A link was archived */
  readonly "link.archived": LinkArchivedEvent;
  /** A link was unarchived */
  readonly "link.unarchived": LinkUnarchivedEvent;
  /** A link was deleted; this is its last record */
  readonly "link.deleted": LinkDeletedEvent;
  /** The operator blocked a link */
  readonly "link.blocked": LinkBlockedEvent;
  /** People clicked on links (opt-in, batched) */
  readonly "link.clicked": LinkClickedEvent;
  /** A test, sent on request */
  readonly "webhook.test": WebhookTestEvent;
}

export type WebhookEvent = WebhookEvents[keyof WebhookEvents];

/** What each operation takes and gives. */
export interface Operations {
  /** Read the current identity */
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
  /** Read a link */
  readonly "links.get": {
    readonly input: {
      readonly params: {
        /** The link's `id`. */
        readonly id: string;
      };
    };
    readonly output: Link;
  };
  /** Change a link */
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
  /** Read a link's analytics */
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
  /** Read the account's analytics */
  readonly "analytics.get": {
    readonly input: {
      readonly query?: AnalyticsGetQuery | undefined;
    };
    readonly output: AnalyticsReport | string;
  };
  /** Fetch a link's QR code */
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
