import type { ValueKind } from "./parse-value.ts";
import { SHORTENER_HOSTS } from "./shortener-hosts.ts";
import {
  flag,
  host,
  httpUrl,
  integer,
  ipNetwork,
  type ListenAddress,
  list,
  listenAddress,
  mailbox,
  oneOf,
  origin,
  secretText,
  smtpUrl,
  text,
} from "./value-kinds.ts";

export interface Setting<T> {
  readonly name: string;
  readonly kind: ValueKind<T>;
  readonly fallback: T;
  /** How the default reads in the docs where the value itself does not say it. */
  readonly fallbackText?: string;
  readonly help: string;
  /** May also be read from the file that `<name>_FILE` names, and is never printed. */
  readonly secret?: true;
}

const durabilities = ["os", "interval", "always"] as const;
type Durability = (typeof durabilities)[number];

const signUpPolicies = ["closed", "invite", "open"] as const;
export type SignUpPolicy = (typeof signUpPolicies)[number];

const interstitials = ["never", "always"] as const;
type Interstitial = (typeof interstitials)[number];

const SECRET_KEY_LENGTH_MIN = 32;

const setting = <T>(definition: Setting<T>): Setting<T> => definition;

/** Every variable the service reads: names, defaults, checks and docs are all here. */
export const settings = {
  host: setting({ name: "KURZ_HOST", kind: text, fallback: "127.0.0.1", help: "The address to listen on." }),
  port: setting({ name: "KURZ_PORT", kind: integer(1, 65535), fallback: 8080, help: "The port to listen on." }),
  baseUrl: setting<string | null>({
    name: "KURZ_BASE_URL",
    kind: origin,
    fallback: null,
    fallbackText: "`http://localhost:<port>`",
    help: "The address in the browser: where the console, the API and, unless set otherwise, short links are opened from outside. It has no path. Signing in works only there.",
  }),
  shortDomain: setting<string | null>({
    name: "KURZ_SHORT_DOMAIN",
    kind: host,
    fallback: null,
    fallbackText: "the host of the base URL",
    help: "The host of the short links, where it differs from the base URL's.",
  }),
  dataDir: setting<string | null>({
    name: "KURZ_DATA_DIR",
    kind: text,
    fallback: null,
    fallbackText: "`./data`, in the demo `./data-demo`",
    help: "Where everything is kept.",
  }),
  secretKey: setting<string | null>({
    name: "KURZ_SECRET_KEY",
    kind: secretText(SECRET_KEY_LENGTH_MIN),
    fallback: null,
    fallbackText: "made in the data directory on the first start",
    help: `Signs sessions and encrypts cursors, signing secrets of webhooks and secrets of authenticator apps. At least ${SECRET_KEY_LENGTH_MIN} characters.`,
    secret: true,
  }),
  signUp: setting<SignUpPolicy>({
    name: "KURZ_SIGNUP",
    kind: oneOf(signUpPolicies),
    fallback: "invite",
    help: "Who can become a user of the console: `invite` people who are invited to an account, `open` anyone, with an account of their own, `closed` only people the operator adds.",
  }),
  sessionDays: setting({
    name: "KURZ_SESSION_DAYS",
    kind: integer(1, 365),
    fallback: 30,
    help: "How long a session of the console lives at most; one that is not used ends after seven days.",
  }),
  smtpUrl: setting<string | null>({
    name: "KURZ_SMTP_URL",
    kind: smtpUrl,
    fallback: null,
    fallbackText: "no mail is sent",
    help: "The mail server, as `smtps://user:password@mail.example:465` or `smtp://mail.example:587`. See [the console](console.md#mail).",
    secret: true,
  }),
  mailFrom: setting<string | null>({
    name: "KURZ_MAIL_FROM",
    kind: mailbox,
    fallback: null,
    fallbackText: "`kurz@` and the host of the base URL",
    help: "The sender of mails, as `Kurz <kurz@s.example>`.",
  }),
  redirectProcesses: setting<number | null>({
    name: "KURZ_REDIRECT_PROCESSES",
    kind: integer(1, 64),
    fallback: null,
    fallbackText: "cores − 1, at least 1, at most 4",
    help: "How many processes answer short links.",
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
    help: "Requests per token in any minute, where plan and token say nothing else. `0` switches every request limit off.",
  }),
  clickDurability: setting<Durability>({
    name: "KURZ_CLICK_DURABILITY",
    kind: oneOf(durabilities),
    fallback: "interval",
    help: "When a click is safe: `os` survives a killed process; `interval` is also flushed to disk every 100 ms; `always` is on disk before the visitor is sent on, however long that takes. See [a stalled disk](operations.md#a-stalled-disk).",
  }),
  journalBytesMax: setting({
    name: "KURZ_JOURNAL_BYTES_MAX",
    kind: integer(1 << 20, Number.MAX_SAFE_INTEGER),
    fallback: 8 * 1024 ** 3,
    help: "How large the click journal may grow while the clicks engine is away. Beyond it clicks are lost, and counted as lost.",
  }),
  clickRetentionDays: setting({
    name: "KURZ_CLICK_RETENTION_DAYS",
    kind: integer(1, 36_500),
    fallback: 400,
    help: "How long clicks are kept one by one; older ones are kept as counts without visitors.",
  }),
  geoMmdb: setting<string | null>({
    name: "KURZ_GEO_MMDB",
    kind: text,
    fallback: null,
    fallbackText: "bundled country data",
    help: "A MaxMind database (mmdb) of countries or cities; read again when it changes. A bad file leaves the data used before.",
  }),
  geoCountryHeader: setting<string | null>({
    name: "KURZ_GEO_COUNTRY_HEADER",
    kind: text,
    fallback: null,
    fallbackText: "none",
    help: "A header in which a trusted proxy names the visitor's country.",
  }),
  plansFile: setting<string | null>({
    name: "KURZ_PLANS_FILE",
    kind: text,
    fallback: null,
    fallbackText: "the built-in plans",
    help: "A JSON file with the plans. See [plans](plans.md).",
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
    help: "How many reverse proxies stand in front: the client's address is that entry of `X-Forwarded-For`, counted from the right.",
  }),
  trustProxyRequestId: setting({
    name: "KURZ_TRUST_PROXY_REQUEST_ID",
    kind: flag,
    fallback: false,
    help: "Take over `X-Request-Id` from the reverse proxy.",
  }),
  logClientIp: setting({
    name: "KURZ_LOG_CLIENT_IP",
    kind: flag,
    fallback: false,
    help: "Write the client's address into the API log.",
  }),
  allowPrivateDestinations: setting({
    name: "KURZ_ALLOW_PRIVATE_DESTINATIONS",
    kind: flag,
    fallback: false,
    help: "Allow links to hosts without a dot, local names and IP addresses, as an intranet needs.",
  }),
  shortenerHosts: setting<readonly string[]>({
    name: "KURZ_SHORTENER_HOSTS",
    kind: list(host),
    fallback: [...SHORTENER_HOSTS],
    fallbackText: "a built-in list",
    help: "Other shorteners' hosts, comma-separated: links to them are refused, since they hide where they lead.",
  }),
  blocklistFile: setting<string | null>({
    name: "KURZ_BLOCKLIST_FILE",
    kind: text,
    fallback: null,
    fallbackText: "none",
    help: "Blocked hosts and URL prefixes; read again when it changes. See [block list](blocklist.md).",
  }),
  abuseContact: setting<string | null>({
    name: "KURZ_ABUSE_CONTACT",
    kind: text,
    fallback: null,
    fallbackText: "none",
    help: "An e-mail address or URL for reports, shown on blocked and preview pages.",
  }),
  webhookAllowCidrs: setting<readonly string[]>({
    name: "KURZ_WEBHOOK_ALLOW_CIDRS",
    kind: list(ipNetwork),
    fallback: [],
    fallbackText: "none",
    help: "Private networks, comma-separated, that webhooks may reach, as an intranet needs. Metadata and link-local addresses stay blocked unless each is named by itself.",
  }),
  webhookAllowInsecure: setting({
    name: "KURZ_WEBHOOK_ALLOW_INSECURE",
    kind: flag,
    fallback: false,
    help: "Allow webhook endpoints with `http:`. Which addresses they may have stays the same.",
  }),
  rootRedirect: setting<string | null>({
    name: "KURZ_ROOT_REDIRECT",
    kind: httpUrl,
    fallback: null,
    fallbackText: "`/console`",
    help: "Where `/` leads.",
  }),
  notFoundRedirect: setting<string | null>({
    name: "KURZ_NOT_FOUND_REDIRECT",
    kind: httpUrl,
    fallback: null,
    fallbackText: "a 404 page",
    help: "Where unknown short links lead.",
  }),
  interstitial: setting<Interstitial>({
    name: "KURZ_INTERSTITIAL",
    kind: oneOf(interstitials),
    fallback: "never",
    help: "`always` shows visitors where a link leads and lets them go on or not, instead of redirecting them.",
  }),
  corsAllowedOrigins: setting<readonly string[]>({
    name: "KURZ_CORS_ALLOWED_ORIGINS",
    kind: list(origin),
    fallback: [],
    fallbackText: "none",
    help: "Origins, comma-separated, whose pages may call the API.",
  }),
  demo: setting({
    name: "KURZ_DEMO",
    kind: flag,
    fallback: false,
    help: "Run the demo: fictional data that starts anew again and again, and short links that show where they lead instead of leading there. See [the demo](demo.md).",
  }),
  demoResetMinutes: setting({
    name: "KURZ_DEMO_RESET_MINUTES",
    kind: integer(1, 1440),
    fallback: 60,
    help: "How often the demo starts anew, counted from midnight UTC.",
  }),
  metricsAddress: setting<ListenAddress | null>({
    name: "KURZ_METRICS_ADDR",
    kind: listenAddress,
    fallback: { hostname: "127.0.0.1", port: 9464 },
    fallbackText: "`127.0.0.1:9464`",
    help: "Where `GET /metrics` answers in the text format of Prometheus: `host:port`, `unix:/path` or `off`. See [operations](operations.md#metrics).",
  }),
} as const;

type Values = { -readonly [K in keyof typeof settings]: (typeof settings)[K] extends Setting<infer T> ? T : never };

/** The settings with their derived defaults filled in. */
export type Config = Readonly<
  Omit<Values, "dataDir" | "baseUrl" | "shortDomain" | "redirectProcesses"> & {
    dataDir: string;
    baseUrl: string;
    shortDomain: string;
    redirectProcesses: number;
  }
>;
export type RawValues = Values;
