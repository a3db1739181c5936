import type { RedisOptions } from "ioredis";

export interface RedisAddress {
  readonly options: Pick<RedisOptions, "host" | "port" | "username" | "password" | "db" | "tls">;
  /** What the names of keys and channels start with, so that several deployments can share a server. */
  readonly prefix: string;
  /** For messages: without the password. */
  readonly shown: string;
}

const PORT = 6379;
const PREFIX = "kurz";

/** `redis://[user:password@]host[:port][/database][?prefix=name]`, or `rediss://` for TLS. Throws if it is anything else. */
export function parseRedisUrl(text: string): RedisAddress {
  const url = new URL(text);
  const database = /^\/?(\d{0,4})$/.exec(url.pathname)?.[1];
  const prefix = url.searchParams.get("prefix") ?? PREFIX;
  const isKnown = [...url.searchParams.keys()].every((name) => name === "prefix");
  if (!/^rediss?:$/.test(url.protocol) || url.hostname === "" || url.hash !== "" || !isKnown) throw invalid();
  if (database === undefined || !/^[\w-]{1,40}$/.test(prefix)) throw invalid();
  // IPv6 addresses are in brackets.
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const port = url.port === "" ? PORT : Number(url.port);
  const db = Number(database);
  return {
    options: {
      host,
      port,
      db,
      ...(url.username !== "" && { username: decodePart(url.username) }),
      ...(url.password !== "" && { password: decodePart(url.password) }),
      ...(url.protocol === "rediss:" && { tls: { servername: host } }),
    },
    // Channels don't belong to a database, unlike keys.
    prefix: `${prefix}:${db}`,
    shown: `${url.protocol}//${url.host}/${db}`,
  };
}

const invalid = (): Error =>
  new Error("must be redis:// or rediss://, such as redis://user:password@cache.example:6379/0?prefix=kurz");

/** Generated passwords contain "%" now and then. What doesn't encode a character is meant as it is. */
const decodePart = (text: string): string =>
  text.replace(/(?:%[\da-f]{2})+/gi, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
