import { findIpNetwork } from "#kernel/ip-network.ts";

/** A bad value; the message says what would be right, the loader adds the name. */
export class BadValue extends Error {}

export type Parse<T> = (text: string) => T;

export const text: Parse<string> = (value) => value;

export const flag: Parse<boolean> = (value) => {
  if (["1", "on", "true", "yes"].includes(value.toLowerCase())) return true;
  if (["0", "off", "false", "no"].includes(value.toLowerCase())) return false;
  throw new BadValue("must be on or off");
};

export const oneOf =
  <const T extends string>(values: readonly T[]): Parse<T> =>
  (value) => {
    const found = values.find((one) => one === value);
    if (found === undefined) throw new BadValue(`must be one of ${values.join(", ")}`);
    return found;
  };

export const integer =
  (least: number, most: number): Parse<number> =>
  (value) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < least || number > most) {
      throw new BadValue(`must be a whole number from ${least} to ${most}`);
    }
    return number;
  };

/** An http(s) origin without path, query, fragment or credentials, as `https://host[:port]`. */
export const origin: Parse<string> = (value) => {
  const url = parseHttpUrl(value);
  if (url.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "" || url.password !== "") {
    throw new BadValue("must be an origin such as https://s.example, without a path");
  }
  return url.origin;
};

export const httpUrl: Parse<string> = (value) => parseHttpUrl(value).href;

export const host: Parse<string> = (value) => {
  const url = URL.canParse(`http://${value}`) ? new URL(`http://${value}`) : null;
  if (url?.pathname !== "/" || url.search !== "" || url.hash !== "" || url.username !== "") {
    throw new BadValue("must be a host such as s.example or s.example:8443");
  }
  return url.host;
};

export const smtpUrl: Parse<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === "" || !/^\/?$/.test(url.pathname)) {
    throw new BadValue("must be a mail server such as smtps://user:password@mail.example:465");
  }
  return value;
};

/** An address, or a name with an address in angle brackets; nothing that could start another header line. */
export const mailbox: Parse<string> = (value) => {
  if (!/^(?:[^<>@\p{Cc}]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/u.test(value)) {
    throw new BadValue("must be an address such as kurz@s.example or Kurz <kurz@s.example>");
  }
  return value;
};

export type ListenAddress = { readonly hostname: string; readonly port: number } | { readonly unix: string };

/** `host:port`, `[v6]:port`, `unix:/path`, or `off`. With port 0 the system chooses one. */
export const listenAddress: Parse<ListenAddress | null> = (value) => {
  if (value.toLowerCase() === "off") return null;
  const unix = /^unix:(\/.+)$/.exec(value)?.[1];
  if (unix !== undefined) return { unix };
  const [, v6, name, port = ""] = /^(?:\[([\da-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(value) ?? [];
  const hostname = v6 ?? name;
  if (hostname === undefined || Number(port) > 65_535) {
    throw new BadValue("must be host:port such as 127.0.0.1:9464, unix:/path, or off");
  }
  return { hostname, port: Number(port) };
};

/** `10.0.0.0/8`, `fd00::/8` or a single address. */
export const ipNetwork: Parse<string> = (value) => {
  if (!findIpNetwork(value)) {
    throw new BadValue(`must be networks such as 10.0.0.0/8 or fd00::/8, with no bits behind the prefix: ${value}`);
  }
  return value;
};

export const list =
  <T>(item: Parse<T>): Parse<readonly T[]> =>
  (value) =>
    value
      .split(",")
      .map((part) => part.trim())
      .filter((part) => part !== "")
      .map(item);

function parseHttpUrl(value: string): URL {
  if (!/^https?:\/\//i.test(value) || !URL.canParse(value)) throw new BadValue("must be an http(s) URL");
  return new URL(value);
}
