import type { ValueKind } from "./parse-value.ts";
import { SHORTENER_HOSTS } from "./shortener-hosts.ts";
import {
  atLeastOne,
  clickhouseUrl,
  clusterName,
  dnsServer,
  emailDomain,
  flag,
  host,
  httpUrl,
  integer,
  ipNetwork,
  issuerUrl,
  type ListenAddress,
  list,
  listenAddress,
  mailbox,
  nodeName,
  oneOf,
  origin,
  postgresUrl,
  type RoleGrant,
  redisUrl,
  roleGrant,
  scopeList,
  secretText,
  smtpUrl,
  text,
} from "./value-kinds.ts";

export interface Setting<T> {
  readonly name: string;
  readonly kind: ValueKind<T>;
  readonly fallback: T;
  /** How the docs describe the default, if not by its value. */
  readonly fallbackText?: string;
  readonly help: string;
  /** Can also be read from the file that `<name>_FILE` names, and is never printed. */
  readonly secret?: true;
}

const durabilities = ["os", "interval", "always"] as const;
type Durability = (typeof durabilities)[number];

const signUpPolicies = ["closed", "invite", "open"] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

const interstitials = ["never", "always"] as const;
type Interstitial = (typeof interstitials)[number];

const nodeRoles = ["redirect", "control"] as const;
/** What a node serves: short links, or everything else. */
export type NodeRole = (typeof nodeRoles)[number];

const SECRET_KEY_LENGTH_MIN = 32;

const setting = <T>(definition: Setting<T>): Setting<T> => definition;

/** Every variable the service reads, with its default, its check and its documentation. */
export const settings = {
  host: setting({ name: "KURZ_HOST", kind: text, fallback: "127.0.0.1", help: "The address to listen on." }),
  port: setting({ name: "KURZ_PORT", kind: integer(1, 65535), fallback: 8080, help: "The port to listen on." }),
  baseUrl: setting<string | null>({
    name: "KURZ_BASE_URL",
    kind: origin,
    fallback: null,
    fallbackText: "`http://localhost:<port>`",
    help: "The public address, as seen in the browser: of the console, the API and, unless set otherwise, short links. It has no path. You can only sign in at this address.",
  }),
  shortDomain: setting<string | null>({
    name: "KURZ_SHORT_DOMAIN",
    kind: host,
    fallback: null,
    fallbackText: "the host of the base URL",
    help: "The host of short links, if it differs from the base URL.",
  }),
  dataDir: setting<string | null>({
    name: "KURZ_DATA_DIR",
    kind: text,
    fallback: null,
    fallbackText: "`./data`, in the demo `./data-demo`",
    help: "The directory for all data.",
  }),
  databaseUrl: setting<string | null>({
    name: "DATABASE_URL",
    kind: postgresUrl,
    fallback: null,
    fallbackText: "a file in the data directory",
    help: "The PostgreSQL server for accounts, links and everything else but clicks, such as `postgres://user:password@db.example:5432/kurz`. Needs `KURZ_SECRET_KEY`.",
    secret: true,
  }),
  databaseReadUrl: setting<string | null>({
    name: "DATABASE_READ_URL",
    kind: postgresUrl,
    fallback: null,
    fallbackText: "the same as `DATABASE_URL`",
    help: "A replica of the PostgreSQL server, which redirects read links from.",
    secret: true,
  }),
  clickhouseUrl: setting<string | null>({
    name: "CLICKHOUSE_URL",
    kind: clickhouseUrl,
    fallback: null,
    fallbackText: "a file in the data directory",
    help: "The ClickHouse server for clicks, such as `https://user:password@clicks.example:8443/kurz`, with the HTTP port and a database for Kurz alone. A preview.",
    secret: true,
  }),
  clickhouseCluster: setting<string | null>({
    name: "CLICKHOUSE_CLUSTER",
    kind: clusterName,
    fallback: null,
    fallbackText: "one server",
    help: "The name of the ClickHouse cluster on whose servers the tables are replicated. It must have one shard.",
  }),
  redisUrl: setting<string | null>({
    name: "REDIS_URL",
    kind: redisUrl,
    fallback: null,
    fallbackText: "none, for a single node",
    help: "The Redis or Valkey server through which nodes share rate limits and wake each other up, such as `redis://user:password@cache.example:6379`, or `rediss://` for TLS. `/1` at the end selects a database, `?prefix=name` starts the names of all keys with `name` instead of `kurz`, for deployments that share a server.",
    secret: true,
  }),
  nodeId: setting<string | null>({
    name: "KURZ_NODE_ID",
    kind: nodeName,
    fallback: null,
    fallbackText: "`local` for a single node, otherwise the host name",
    help: "What this node is called in names of journal files. With a server for data, the data directory keeps the name of its first start.",
  }),
  roles: setting<readonly NodeRole[]>({
    name: "KURZ_ROLES",
    kind: atLeastOne(oneOf(nodeRoles)),
    fallback: nodeRoles,
    fallbackText: "`redirect,control`",
    help: "What this node serves: `redirect` for short links, `control` for the API, the console, webhooks and upkeep, or both. One role alone needs `DATABASE_URL`. See [roles](operations.md#roles-of-nodes).",
  }),
  controlUrl: setting<string | null>({
    name: "KURZ_CONTROL_URL",
    kind: origin,
    fallback: null,
    fallbackText: "none: it answers them with 404",
    help: "Where a node with the role `redirect` alone sends requests for the API, the console and the docs: the address of nodes with the role `control`, such as `http://control.internal:8080`. It needs the same `KURZ_SECRET_KEY` and `KURZ_BASE_URL` there.",
  }),
  drainSeconds: setting({
    name: "KURZ_DRAIN_SECONDS",
    kind: integer(0, 600),
    fallback: 0,
    help: "How long the server goes on serving after it was asked to stop, while `/readyz` answers 503, so that load balancers stop sending requests first. A second signal ends the wait.",
  }),
  secretKey: setting<string | null>({
    name: "KURZ_SECRET_KEY",
    kind: secretText(SECRET_KEY_LENGTH_MIN),
    fallback: null,
    fallbackText: "generated in the data directory on the first start",
    help: `Signs sessions and encrypts cursors, webhook signing secrets and authenticator app secrets. At least ${SECRET_KEY_LENGTH_MIN} characters.`,
    secret: true,
  }),
  signUp: setting<SignUpPolicy>({
    name: "KURZ_SIGNUP",
    kind: oneOf(signUpPolicies),
    fallback: "invite",
    help: "Who can sign up for the console: with `invite`, people who are invited to an account; with `open`, anyone, with an account of their own; with `closed`, only people the operator adds.",
  }),
  sessionDays: setting({
    name: "KURZ_SESSION_DAYS",
    kind: integer(1, 365),
    fallback: 30,
    help: "How long a console session lasts at most. Unused sessions end after seven days.",
  }),
  smtpUrl: setting<string | null>({
    name: "KURZ_SMTP_URL",
    kind: smtpUrl,
    fallback: null,
    fallbackText: "no e-mail is sent",
    help: "The mail server, such as `smtps://user:password@mail.example:465` or `smtp://mail.example:587`. See [the console](console.md#mail).",
    secret: true,
  }),
  mailFrom: setting<string | null>({
    name: "KURZ_MAIL_FROM",
    kind: mailbox,
    fallback: null,
    fallbackText: "`kurz@` and the host of the base URL",
    help: "The sender of e-mails, such as `Kurz <kurz@s.example>`.",
  }),
  oidcIssuer: setting<string | null>({
    name: "KURZ_OIDC_ISSUER",
    kind: issuerUrl,
    fallback: null,
    fallbackText: "no single sign-on",
    help: "The OpenID Connect provider that people sign in with, such as `https://id.example/realms/acme`, exactly as it calls itself. See [single sign-on](single-sign-on.md).",
  }),
  oidcClientId: setting<string | null>({
    name: "KURZ_OIDC_CLIENT_ID",
    kind: text,
    fallback: null,
    fallbackText: "none",
    help: "The client id that the provider has given to this deployment.",
  }),
  oidcClientSecret: setting<string | null>({
    name: "KURZ_OIDC_CLIENT_SECRET",
    kind: secretText(1),
    fallback: null,
    fallbackText: "none",
    help: "The client secret.",
    secret: true,
  }),
  oidcName: setting<string | null>({
    name: "KURZ_OIDC_NAME",
    kind: text,
    fallback: null,
    fallbackText: "the issuer's host",
    help: "What the provider is called on the button and in settings, such as `Acme ID`.",
  }),
  oidcDomains: setting<readonly string[]>({
    name: "KURZ_OIDC_DOMAINS",
    kind: list(emailDomain),
    fallback: [],
    fallbackText: "none",
    help: "The e-mail domains whose people may sign in with the provider, comma-separated. The provider must be the authority for their addresses: it can sign in as any user who has one.",
  }),
  oidcAccount: setting<string | null>({
    name: "KURZ_OIDC_ACCOUNT",
    kind: text,
    fallback: null,
    fallbackText: "none: only people who are invited or have a user",
    help: "The id of the account that people join when they first sign in with the provider.",
  }),
  oidcRolesClaim: setting({
    name: "KURZ_OIDC_ROLES_CLAIM",
    kind: text,
    fallback: "groups",
    help: "The claim with the groups or roles for `KURZ_OIDC_ROLES`. Dots lead into objects, as in `realm_access.roles`.",
  }),
  oidcRoles: setting<readonly RoleGrant[]>({
    name: "KURZ_OIDC_ROLES",
    kind: list(roleGrant),
    fallback: [],
    fallbackText: "none: people join as `member`, and roles are managed in the console",
    help: "Which values of the claim give which role in `KURZ_OIDC_ACCOUNT`, such as `admin=kurz-admins,member=marketing`; `viewer=*` is for everyone else. Applied at every sign-in with the provider.",
  }),
  oidcScopes: setting<readonly string[]>({
    name: "KURZ_OIDC_SCOPES",
    kind: scopeList,
    fallback: ["openid", "email", "profile"],
    fallbackText: "`openid email profile`",
    help: "The scopes to ask the provider for, separated by spaces.",
  }),
  oidcLogout: setting({
    name: "KURZ_OIDC_LOGOUT",
    kind: flag,
    fallback: false,
    help: "Whether signing out of Kurz leads to the provider, to sign out there as well.",
  }),
  redirectProcesses: setting<number | null>({
    name: "KURZ_REDIRECT_PROCESSES",
    kind: integer(1, 64),
    fallback: null,
    fallbackText: "cores − 1, at least 1, at most 4",
    help: "How many processes serve short links.",
  }),
  fastLane: setting({
    name: "KURZ_FAST_LANE",
    kind: flag,
    fallback: true,
    help: "Answer cached links directly from the socket. `off` leaves everything to the HTTP server: the same answers, at about twice the CPU cost per redirect. See [operations](operations.md#the-fast-lane).",
  }),
  rateLimitPerMinute: setting({
    name: "KURZ_RATE_LIMIT_PER_MINUTE",
    kind: integer(0, 1_000_000),
    fallback: 120,
    help: "Requests per token and minute, unless the plan or the token sets another limit. `0` turns off all request limits.",
  }),
  clickDurability: setting<Durability>({
    name: "KURZ_CLICK_DURABILITY",
    kind: oneOf(durabilities),
    fallback: "interval",
    help: "When a click is safe: with `os`, it survives a killed process; with `interval`, it is also flushed to disk every 100 ms; with `always`, it is on disk before the visitor is redirected, however long that takes. See [a stalled disk](operations.md#a-stalled-disk).",
  }),
  journalBytesMax: setting({
    name: "KURZ_JOURNAL_BYTES_MAX",
    kind: integer(1 << 20, Number.MAX_SAFE_INTEGER),
    fallback: 8 * 1024 ** 3,
    help: "How large the click journal can grow while the clicks engine is unavailable, in bytes. Beyond that, clicks are lost, and counted as lost.",
  }),
  clickRetentionDays: setting({
    name: "KURZ_CLICK_RETENTION_DAYS",
    kind: integer(1, 36_500),
    fallback: 400,
    help: "How long individual clicks are kept. Older ones are kept as counts, without visitors.",
  }),
  geoMmdb: setting<string | null>({
    name: "KURZ_GEO_MMDB",
    kind: text,
    fallback: null,
    fallbackText: "bundled country data",
    help: "A MaxMind database (mmdb) of countries or cities. Reloaded when it changes; if the new file is invalid, the previous data stays in use.",
  }),
  geoCountryHeader: setting<string | null>({
    name: "KURZ_GEO_COUNTRY_HEADER",
    kind: text,
    fallback: null,
    fallbackText: "none",
    help: "The header in which a trusted proxy sends the visitor's country.",
  }),
  plansFile: setting<string | null>({
    name: "KURZ_PLANS_FILE",
    kind: text,
    fallback: null,
    fallbackText: "the built-in plans",
    help: "A JSON file that defines the plans. See [plans](plans.md).",
  }),
  defaultPlan: setting({
    name: "KURZ_DEFAULT_PLAN",
    kind: text,
    fallback: "unlimited",
    help: "The plan of a new account.",
  }),
  trustProxy: setting({
    name: "KURZ_TRUST_PROXY",
    kind: integer(0, 10),
    fallback: 0,
    help: "How many reverse proxies are in front of Kurz: the client address is this entry of `X-Forwarded-For`, counted from the right.",
  }),
  trustProxyRequestId: setting({
    name: "KURZ_TRUST_PROXY_REQUEST_ID",
    kind: flag,
    fallback: false,
    help: "Use the `X-Request-Id` that the reverse proxy sends.",
  }),
  logClientIp: setting({
    name: "KURZ_LOG_CLIENT_IP",
    kind: flag,
    fallback: false,
    help: "Write client addresses to the API log.",
  }),
  allowPrivateDestinations: setting({
    name: "KURZ_ALLOW_PRIVATE_DESTINATIONS",
    kind: flag,
    fallback: false,
    help: "Allow links to hosts without a dot, local names and IP addresses, for example on an intranet.",
  }),
  shortenerHosts: setting<readonly string[]>({
    name: "KURZ_SHORTENER_HOSTS",
    kind: list(host),
    fallback: [...SHORTENER_HOSTS],
    fallbackText: "a built-in list",
    help: "Hosts of other link shorteners, comma-separated. Links to them are refused, because they hide their destination.",
  }),
  blocklistFile: setting<string | null>({
    name: "KURZ_BLOCKLIST_FILE",
    kind: text,
    fallback: null,
    fallbackText: "none",
    help: "A file with blocked hosts and URL prefixes. Reloaded when it changes. See [block list](blocklist.md).",
  }),
  abuseContact: setting<string | null>({
    name: "KURZ_ABUSE_CONTACT",
    kind: text,
    fallback: null,
    fallbackText: "none",
    help: "An e-mail address or URL for abuse reports, shown on blocked and preview pages.",
  }),
  pageLookups: setting({
    name: "KURZ_PAGE_LOOKUPS",
    kind: flag,
    fallback: true,
    help: "Ask the sites that links lead to for their icon and the title of a page, for the console. `off` shows letters instead of icons and suggests no titles. Always off in the demo. See [the console](console.md#icons-and-titles).",
  }),
  dnsServers: setting<readonly string[]>({
    name: "KURZ_DNS_SERVERS",
    kind: list(dnsServer),
    fallback: [],
    fallbackText: "the system's",
    help: "Name servers that look up the TXT records of [domains](domains.md), comma-separated: IP addresses, with a port if it isn't 53.",
  }),
  webhookAllowCidrs: setting<readonly string[]>({
    name: "KURZ_WEBHOOK_ALLOW_CIDRS",
    kind: list(ipNetwork),
    fallback: [],
    fallbackText: "none",
    help: "Private networks that webhooks may reach, comma-separated, for example on an intranet. Page look-ups may, too, if `KURZ_ALLOW_PRIVATE_DESTINATIONS` is on. Metadata and link-local addresses stay blocked unless listed one by one.",
  }),
  webhookAllowInsecure: setting({
    name: "KURZ_WEBHOOK_ALLOW_INSECURE",
    kind: flag,
    fallback: false,
    help: "Allow webhook endpoints with `http:`. It doesn't change which addresses they may have.",
  }),
  rootRedirect: setting<string | null>({
    name: "KURZ_ROOT_REDIRECT",
    kind: httpUrl,
    fallback: null,
    fallbackText: "`/console`",
    help: "Where `/` redirects to: a full `http(s)://` URL, or unset for the console.",
  }),
  notFoundRedirect: setting<string | null>({
    name: "KURZ_NOT_FOUND_REDIRECT",
    kind: httpUrl,
    fallback: null,
    fallbackText: "a 404 page",
    help: "Where unknown short links redirect to.",
  }),
  interstitial: setting<Interstitial>({
    name: "KURZ_INTERSTITIAL",
    kind: oneOf(interstitials),
    fallback: "never",
    help: "With `always`, visitors see where a link leads and can decide whether to continue, instead of being redirected.",
  }),
  corsAllowedOrigins: setting<readonly string[]>({
    name: "KURZ_CORS_ALLOWED_ORIGINS",
    kind: list(origin),
    fallback: [],
    fallbackText: "none",
    help: "Origins whose pages may call the API, comma-separated.",
  }),
  demo: setting({
    name: "KURZ_DEMO",
    kind: flag,
    fallback: false,
    help: "Run the demo: fictional data that is reset regularly, and short links that show their destination instead of redirecting. See [the demo](demo.md).",
  }),
  demoResetMinutes: setting({
    name: "KURZ_DEMO_RESET_MINUTES",
    kind: integer(1, 1440),
    fallback: 60,
    help: "How often the demo resets, counted from midnight UTC.",
  }),
  demoVisitsPerHour: setting({
    name: "KURZ_DEMO_VISITS_PER_HOUR",
    kind: integer(0, 36_000),
    fallback: 30,
    help: "How often fictional visitors open the demo's short links. `0` for never.",
  }),
  metricsAddress: setting<ListenAddress | null>({
    name: "KURZ_METRICS_ADDR",
    kind: listenAddress,
    fallback: { hostname: "127.0.0.1", port: 9464 },
    fallbackText: "`127.0.0.1:9464`",
    help: "Where `GET /metrics` serves Prometheus metrics: `host:port`, `unix:/path` or `off`. See [operations](operations.md#metrics).",
  }),
} as const;

type Values = { -readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never };

/** The settings with their derived defaults filled in. */
export type Config = Readonly<
  Omit<Values, "nodeId" | "dataDir" | "baseUrl" | "shortDomain" | "redirectProcesses"> & {
    nodeId: string;
    dataDir: string;
    baseUrl: string;
    shortDomain: string;
    redirectProcesses: number;
  }
>;
export type RawValues = Values;
