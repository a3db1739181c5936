import { isIP } from "node:net";
import { type Role, roles } from "#contract/roles.ts";
import { findIpNetwork } from "#kernel/ip-network.ts";
import { mustBe, type ValueKind } from "./parse-value.ts";
import { isLoopbackHost } from "./plain-http.ts";
import { anyText, commaSeparated, either, type TextKind, textLike } from "./text-kind.ts";

export const text = anyText;

export const secretText = (lengthMin: number) =>
  anyText.refine(({ length }) => length >= lengthMin, `must have at least ${lengthMin} characters`);

const TRUE = /^(?:1|on|true|yes)$/i;
const FALSE = /^(?:0|off|false|no)$/i;

export const flag = anyText
  .refine((value) => TRUE.test(value) || FALSE.test(value), mustBe("on or off"))
  .transform((value) => TRUE.test(value));

export const oneOf = <const T extends string>(values: readonly T[]): TextKind<T> =>
  anyText
    .refine((value) => (values as readonly string[]).includes(value), mustBe(`one of ${values.join(", ")}`))
    .transform((value) => value as T);

export const integer = (min: number, max: number) => {
  const problem = mustBe(`a whole number from ${min} to ${max}`);
  return textLike(/^\d+$/, problem)
    .refine((digits) => Number(digits) >= min && Number(digits) <= max, problem)
    .transform(Number);
};

const AN_HTTP_URL = mustBe("an http(s) URL");

export const httpUrl = textLike(/^https?:\/\//i, AN_HTTP_URL)
  .refine((value) => URL.canParse(value), AN_HTTP_URL)
  .transform((value) => new URL(value).href);

/** An http(s) origin without path, query, fragment or credentials, as `https://host[:port]`. */
export const origin = anyText
  // Messages show the value as it was typed, not as `httpUrl` normalizes it.
  .refine((value) => httpUrl.safeParse(value).success, AN_HTTP_URL)
  .refine(isOrigin, mustBe("an origin such as https://s.example, without a path"))
  .transform((value) => new URL(value).origin);

function isOrigin(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url?.href === `${url?.origin}/`;
}

export const host = anyText
  .refine(isHost, mustBe("a host such as s.example or s.example:8443"))
  .transform((value) => new URL(`http://${value}`).host);

function isHost(value: string): boolean {
  return isOrigin(`http://${value}`);
}

/** It contains a password, so the message doesn't repeat it. */
export const smtpUrl = anyText.refine(
  isSmtpUrl,
  "must be a mail server such as smtps://user:password@mail.example:465",
);

function isSmtpUrl(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  return url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== "" && /^\/?$/.test(url.pathname);
}

const NODE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$/;

export const nodeName = textLike(
  NODE_NAME,
  mustBe("up to 40 letters, digits, dots, hyphens and underscores, starting with a letter or digit"),
);

/** A host name can have characters that a node name can't, and be longer. */
export const toNodeName = (hostName: string): string => {
  const name = hostName
    .replaceAll(/[^A-Za-z0-9._-]/g, "-")
    .replace(/^[._-]+/, "")
    .slice(0, 40);
  return NODE_NAME.test(name) ? name : "node";
};

/** The address of a server; it may contain a password, so the message doesn't repeat it. */
const serverUrl = (schemes: RegExp, example: string, isKnown: (url: URL) => boolean = () => true) =>
  anyText.refine((value) => {
    const url = URL.canParse(value) ? new URL(value) : null;
    return url !== null && schemes.test(url.protocol) && url.hostname !== "" && url.hash === "" && isKnown(url);
  }, `must be an address such as ${example}; percent-encode special characters of the password`);

const SSL_MODES = ["disable", "prefer", "require", "verify-ca", "verify-full"];
export const postgresUrl = serverUrl(/^postgres(?:ql)?:$/, "postgres://user:password@db.example:5432/kurz").refine(
  (value) => {
    const mode = URL.canParse(value) ? new URL(value).searchParams.get("sslmode") : null;
    return mode === null || SSL_MODES.includes(mode);
  },
  `has an unknown sslmode; use ${SSL_MODES.join(", ")}`,
);
/** May end in the name of a database. */
export const clickhouseUrl = serverUrl(
  /^https?:$/,
  "https://user:password@clicks.example:8443/kurz",
  ({ pathname, search }) => /^\/(?:[A-Za-z_]\w{0,63})?$/.test(pathname) && search === "",
);
export const clusterName = textLike(/^[A-Za-z_][\w.-]{0,63}$/, mustBe("the name of a cluster, such as kurz"));
/** May end in the number of a database and in a prefix for the names of keys. */
export const redisUrl = serverUrl(
  /^rediss?:$/,
  "redis://user:password@cache.example:6379",
  ({ pathname, search }) => /^(?:\/\d{0,4})?$/.test(pathname) && /^(?:\?prefix=[\w-]{1,40})?$/.test(search),
);

/** An address, or a name with an address in angle brackets; nothing that could start another header line. */
export const mailbox = textLike(
  /^(?:[^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u,
  mustBe("an address such as kurz@s.example or Kurz <kurz@s.example>"),
);

export type ListenAddress = { readonly hostname: string; readonly port: number } | { readonly unix: string };

const A_LISTEN_ADDRESS = mustBe("host:port such as 127.0.0.1:9464, unix:/path, or off");
const PORT_MAX = 65_535;

const off = textLike(/^off$/i).transform(() => null);

const unixSocket = textLike(/^unix:\/.+$/).transform((value) => ({ unix: value.slice("unix:".length) }));

const hostAndPort = textLike(/^(?:\[[\da-fA-F:.]+\]|[^\s:/[\]]+):\d{1,5}$/)
  .transform((value) => {
    const colon = value.lastIndexOf(":");
    return { hostname: value.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(value.slice(colon + 1)) };
  })
  .refine(({ port }) => port <= PORT_MAX);

/** `host:port`, `[v6]:port`, `unix:/path`, or `off`. With port 0 the system chooses one. */
export const listenAddress = either<ListenAddress | null>([off, unixSocket, hostAndPort], A_LISTEN_ADDRESS);

/** `10.0.0.0/8`, `fd00::/8` or a single address. */
export const ipNetwork = anyText.refine(
  (value) => findIpNetwork(value) !== null,
  mustBe("a network such as 10.0.0.0/8 or fd00::/8, with no bits set after the prefix"),
);

/** `9.9.9.9`, `127.0.0.1:5353` or `[2620:fe::fe]:53`. */
export const dnsServer = anyText.refine(
  (value) => isIP(value) !== 0 || isIP(value.replace(/^\[(.*)\]:\d{1,5}$|:\d{1,5}$/, "$1")) !== 0,
  mustBe("an IP address such as 9.9.9.9, 127.0.0.1:5353 or [2620:fe::fe]:53"),
);

export const list = commaSeparated;

/** Comma-separated, each entry once. */
export const atLeastOne = <T>(entry: ValueKind<T>): TextKind<readonly T[]> =>
  list(entry)
    .transform((values): readonly T[] => [...new Set(values)])
    .refine((values) => values.length > 0, "must have at least one entry");

/** Kept as it is typed: the provider's tokens repeat it letter for letter. */
export const issuerUrl = anyText.refine(
  isIssuer,
  mustBe(
    "the https address of a provider, such as https://id.example/realms/acme, without query (http only on localhost)",
  ),
);

function isIssuer(value: string): boolean {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url === null || /[?#\s\\]/.test(value) || url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
}

/** In lower case and in ASCII. */
export const emailDomain = anyText
  .refine(
    (value) => isHost(value) && !/[:[\]]/.test(value) && value.includes("."),
    mustBe("an e-mail domain such as acme.example"),
  )
  .transform((value) => new URL(`http://${value}`).hostname);

/** The role that a value of the provider's claim gives; `*` is any value, or none. */
export interface RoleGrant {
  readonly role: Role;
  readonly value: string;
}

const A_ROLE_GRANT = mustBe(`a role (${roles.join(", ")}) and a value, such as admin=kurz-admins`);

export const roleGrant: TextKind<RoleGrant> = anyText
  .refine((text) => readGrant(text) !== null, A_ROLE_GRANT)
  .transform((text) => readGrant(text) as RoleGrant);

function readGrant(text: string): RoleGrant | null {
  const [, name, value] = /^(\w+)\s*=\s*(.+)$/.exec(text) ?? [];
  const role = roles.find((known) => known === name);
  return role === undefined || value === undefined ? null : { role, value };
}

/** Separated by spaces. Without `openid` a provider sends nothing that says who someone is. */
export const scopeList: TextKind<readonly string[]> = anyText
  .refine(
    (text) => /^[\x21\x23-\x5b\x5d-\x7e ]+$/.test(text) && text.split(" ").includes("openid"),
    mustBe("scopes separated by spaces, with openid among them"),
  )
  .transform((text): readonly string[] => text.split(" ").filter((scope) => scope !== ""));
