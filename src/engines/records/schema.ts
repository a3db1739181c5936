import type { Generated, Kysely } from "kysely";
import type { BlockReason } from "#contract/errors.ts";
import type { LiveState } from "#contract/link-record.ts";
import type { LinkKey } from "#kernel/link-key.ts";

/** Times are Unix milliseconds and JSON is text, so both record engines store the same values. */
export interface Database {
  accounts: AccountsTable;
  users: UsersTable;
  credentials: CredentialsTable;
  members: MembersTable;
  invitations: InvitationsTable;
  sessions: SessionsTable;
  verifications: VerificationsTable;
  two_factors: TwoFactorsTable;
  passkeys: PasskeysTable;
  tokens: TokensTable;
  domains: DomainsTable;
  links: LinksTable;
  link_counts: LinkCountsTable;
  link_count_runs: LinkCountRunsTable;
  link_tags: LinkTagsTable;
  deleted_links: DeletedLinksTable;
  link_versions: LinkVersionsTable;
  tombstones: TombstonesTable;
  changes: ChangesTable;
  idempotency_keys: IdempotencyKeysTable;
  audit_log: AuditLogTable;
  link_audit: LinkAuditTable;
  click_positions: ClickPositionsTable;
  click_erasures: ClickErasuresTable;
  webhook_endpoints: WebhookEndpointsTable;
  webhook_events: WebhookEventsTable;
  webhook_deliveries: WebhookDeliveriesTable;
  webhook_attempts: WebhookAttemptsTable;
  account_logos: AccountLogosTable;
  utm_templates: UtmTemplatesTable;
  expiry_mark: ExpiryMarkTable;
  tags: TagsTable;
  tag_changes: TagChangesTable;
  imports: ImportsTable;
  imported_links: ImportedLinksTable;
  shares: SharesTable;
}

/** The sign-in library's organization, plus our own columns. */
export interface AccountsTable {
  no: Generated<number>;
  id: string;
  name: string;
  slug: string;
  logo: string | null;
  metadata: string | null;
  created_at: string;
  plan_id: string;
  suspended_at: number | null;
  /** When its removal started; it has no members from then on. */
  removed_at: Generated<number | null>;
  active_links: Generated<number>;
  webhook_endpoints: Generated<number>;
  domains: Generated<number>;
  /** JSON with the design that the console starts new QR codes with. */
  qr_design: Generated<string | null>;
  /** Whether people must have signed in with the operator's provider to work in it. */
  sso_required: Generated<0 | 1>;
}

export interface UsersTable {
  id: string;
  name: string;
  email: string;
  email_verified: number;
  image: string | null;
  two_factor_enabled: number | null;
  created_at: string;
  updated_at: string;
}

export interface CredentialsTable {
  id: string;
  provider_account_id: string;
  provider_id: string;
  user_id: string;
  password: string | null;
  created_at: string;
  updated_at: string;
}

export interface MembersTable {
  id: string;
  account_id: string;
  user_id: string;
  role: string;
  created_at: string;
}

export interface InvitationsTable {
  id: string;
  account_id: string;
  email: string;
  role: string | null;
  status: string;
  expires_at: string;
  created_at: string;
  inviter_id: string;
}

export interface SessionsTable {
  id: string;
  user_id: string;
  token: string;
  /** Browser and system, such as "Firefox on Linux"; never the header itself. */
  user_agent: string | null;
  created_at: string;
  updated_at: string;
  expires_at: string;
  sudo_until: number | null;
  /** Null for sessions from before it was stored. */
  signed_in_by: Generated<"password" | "passkey" | "sso" | null>;
}

/** The sign-in library's challenges and links, valid for minutes up to an hour. */
export interface VerificationsTable {
  id: string;
  /** The look-up key, hashed. */
  identifier: string;
  value: string;
  expires_at: string;
  created_at: string;
  updated_at: string;
}

export interface TwoFactorsTable {
  id: string;
  secret: string;
  backup_codes: string;
  user_id: string;
  verified: number | null;
  last_step: number | null;
}

export interface PasskeysTable {
  id: string;
  name: string | null;
  user_id: string;
  created_at: string | null;
}

export interface TokensTable {
  id: string;
  account_no: number;
  name: string;
  /** SHA-256 of the whole token, in hex. */
  hash: string;
  scopes: string;
  rate_limit: number | null;
  /** Whose limit of requests it counts against: the first of those that created one another. `null`: its own. */
  counts_with: string | null;
  created_at: number;
  expires_at: number | null;
  revoked_at: number | null;
  last_used_at: number | null;
}

/** A host that an account brings; each is a namespace of its own. */
export interface DomainsTable {
  no: Generated<number>;
  id: string;
  account_no: number;
  /** In lower case and in ASCII, as in a Host header. */
  name: string;
  status: "pending" | "verified" | "lost";
  is_default: Generated<0 | 1>;
  /** What the account's TXT record must say. */
  token: string;
  last_checked_at: number | null;
  last_problem: string | null;
  verified_at: number | null;
  /** The operator may vouch for a name, which is then never looked up. */
  verified_by: "dns" | "operator" | null;
  /** Since when the record of a verified domain hasn't been found. */
  missing_since: number | null;
  root_redirect_url: string | null;
  not_found_redirect_url: string | null;
  expired_redirect_url: string | null;
  /** JSON: the reason for each address that the operator blocks, by its column. */
  blocked_urls: Generated<string | null>;
  /** The two documents for apps, as JSON text. */
  apple_app_site_association: string | null;
  assetlinks: string | null;
  version: number;
  created_at: number;
  updated_at: number;
}

export interface LinksTable {
  /** A small number for indexes, the click journal and reports; never public. */
  no: Generated<number>;
  id: string;
  account_no: number;
  key: LinkKey;
  /** See {@link OWN_DOMAIN}. Immutable, as the key. */
  domain_no: number;
  /** Null on the instance's own domain. */
  domain_name: string | null;
  destination_url: string;
  title: string | null;
  tags: string;
  utm: string;
  state: LiveState;
  state_before_archive: LiveState | null;
  expires_at: number | null;
  blocked_reason: BlockReason | null;
  blocked_at: number | null;
  /** Who blocked it, so a shorter block list only lifts its own blocks. */
  blocked_by: "operator" | "blocklist" | null;
  created_via: "api" | "dashboard" | "import" | "demo";
  version: number;
  created_at: number;
  updated_at: number;
  paused_at: number | null;
  archived_at: number | null;
  /** What `q` searches: slug, title, destination and notes in lower case. */
  search_text: string;
  /** See {@link LinkSettings}; null for a plain link. */
  settings: string | null;
  password_hash: string | null;
  external_id: string | null;
  notes: string | null;
  /** Who created it, as in the audit log; null for links that are older than the column. */
  created_by: Generated<string | null>;
  /** JSON with at least one pair, or null. */
  metadata: string | null;
}

/** Created, updated and deleted along with its link by triggers. */
export interface LinkCountsTable {
  link_no: number;
  account_no: number;
  /** Index of the link's state in `liveStates`: a number keeps rows and indexes narrow. */
  state_no: number;
  click_count: Generated<number>;
  /** 0 until the first click: a non-null sort key keeps paging simple. */
  last_clicked_at: Generated<number>;
  /** How many clicks of its `max_clicks` are used up. */
  used_clicks: Generated<number>;
}

export interface LinkCountRunsTable {
  no: Generated<number>;
  rows: string;
}

export interface LinkTagsTable {
  account_no: number;
  /** The tag in lower case. */
  tag: string;
  link_no: number;
}

/** The trash: what `links` and `link_counts` had of a deleted link, until it is restored or erased. */
export interface DeletedLinksTable
  extends Omit<LinksTable, "no">,
    Pick<LinkCountsTable, "click_count" | "last_clicked_at" | "used_clicks"> {
  no: number;
  deleted_at: number;
  /** As `tags`, in lower case. */
  folded_tags: string;
}

/** What each change of a link replaced; the first version has no row. Erased along with the link by triggers. */
export interface LinkVersionsTable {
  link_no: number;
  version: number;
  at: number;
  actor: string;
  via: string;
  /** As in the audit log, without the topic. */
  action: string;
  reverted_to: number | null;
  /** JSON; see `link-history.ts`. */
  before: string;
  after: string;
}

/** Addresses of deleted links; kept when the link is erased, dropped when it is restored. */
export interface TombstonesTable {
  key: LinkKey;
  deleted_at: number;
  /** The account that may have the address again, because it undid the import that took it. */
  account_no: Generated<number | null>;
}

/** What caches must drop, in commit order. A null key means everything. */
export interface ChangesTable {
  seq: Generated<number>;
  key: LinkKey | null;
  at: number;
}

export interface IdempotencyKeysTable {
  account_no: number;
  operation: string;
  key: string;
  fingerprint: string;
  response: string;
  /** If it is another than the endpoint's usual one. */
  status: Generated<number | null>;
  created_at: number;
}

export interface LinkAuditTable {
  no: Generated<number>;
  at: number;
  account_no: number;
  link_id: string;
  slug: string;
  actor: string;
  via: string;
  action: string;
  /** Comma-separated names of the changed fields. */
  fields: string;
}

export interface AuditLogTable {
  no: Generated<number>;
  at: number;
  account_no: number | null;
  actor: string;
  action: string;
  subject: string;
  details: string;
}

export interface ClickPositionsTable {
  segment: string;
  position: number;
}

export interface ClickErasuresTable {
  link_no: number;
  account_no: number;
}

export interface WebhookEndpointsTable {
  no: Generated<number>;
  id: string;
  account_no: number;
  url: string;
  description: string | null;
  /** The subscribed event types, as a JSON array. */
  events: string;
  takes_clicks: 0 | 1;
  /** Encrypted, like every secret that must be read again. */
  secret: string;
  old_secret: string | null;
  old_secret_until: number | null;
  created_at: number;
  updated_at: number;
  disabled_at: number | null;
  disabled_by: "owner" | "failing" | "gone" | null;
  /** The first failure since the last success. */
  failing_since: number | null;
  last_failure_at: number | null;
  /** When a delivery first failed for good since the last success. */
  exhausted_at: number | null;
  clicks_dropped: Generated<number>;
}

/** Events, with the exact text that receivers get. */
export interface WebhookEventsTable {
  no: Generated<number>;
  id: string;
  account_no: number;
  type: string;
  body: string;
  created_at: number;
}

export interface WebhookDeliveriesTable {
  no: Generated<number>;
  id: string;
  event_no: number;
  endpoint_no: number;
  state: "pending" | "delivered" | "failed";
  /** Scheduled attempts so far, not counting manual ones. */
  attempts: Generated<number>;
  /** When it is due; null if nothing is to be sent. */
  next_at: number | null;
  /** Whether the next attempt was triggered manually, and so isn't retried. */
  is_manual: Generated<0 | 1>;
  /** The worker sending it, as `node:worker`. */
  lease: string | null;
  created_at: number;
}

export interface WebhookAttemptsTable {
  no: Generated<number>;
  delivery_no: number;
  at: number;
  is_manual: 0 | 1;
  /** The response status; null if there was none. */
  status: number | null;
  /** Why there was no response. */
  problem: string | null;
  duration_ms: number;
  excerpt: string;
}

export interface AccountLogosTable {
  account_no: number;
  png: Uint8Array;
  /** Hash of the bytes, for the ETags of images that contain it. */
  hash: string;
  updated_at: number;
}

export interface UtmTemplatesTable {
  id: string;
  account_no: number;
  name: string;
  /** JSON. */
  utm: string;
}

/** The expiry that was announced last. One row. */
export interface ExpiryMarkTable {
  id: 1;
  at: number;
  link_no: number;
}

/** What an account decided about a tag; which tags there are, `link_tags` says. */
export interface TagsTable {
  account_no: number;
  /** In lower case. */
  tag: string;
  color: string | null;
}

/** Tags that are being renamed, or removed if there is no name. */
export interface TagChangesTable {
  account_no: number;
  tag: string;
  name: string | null;
  actor: string;
  via: LinksTable["created_via"];
  started_at: number;
  /** The last link that was changed. */
  after_no: number;
}

export interface ImportsTable {
  no: Generated<number>;
  id: string;
  account_no: number;
  source: string;
  /** Whose data directory has what was read. */
  node: string;
  actor: string;
  /** See `import-state.ts`. */
  state: string;
  /** JSON, without any secret. */
  options: string;
  /** JSON: how far each step has come. */
  progress: string;
  /** JSON: what the check found. */
  forecast: string | null;
  /** Why it failed. */
  problem: string | null;
  created_at: number;
  updated_at: number;
  finished_at: number | null;
}

/** By which a source finds its links again. Erased along with the link by triggers. */
export interface ImportedLinksTable {
  account_no: number;
  source: string;
  source_id: string;
  link_no: number;
  import_no: number;
}

/** Public reports; erased along with their link by triggers. */
export interface SharesTable {
  id: string;
  link_no: number;
  account_no: number;
  /** The last part of its address. */
  token: string;
  password_hash: string | null;
  min_visitors: number;
  timezone: string;
  expires_at: number | null;
  created_at: number;
}

/** A connection or an open transaction; stores accept either. */
export type Sql = Kysely<Database>;
