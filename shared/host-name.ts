const HOST_BYTES_MAX = 253;
const HOST_NAME = /^(?:[a-z0-9_-]{1,63}\.)*(?!\d+$)[a-z0-9_-]{1,63}$/;
const IPV4 = /^\d+\.\d+\.\d+\.\d+$/;
const PRIVATE_SUFFIX = /(?:^|\.)(?:localhost|local|internal|home\.arpa)$/;

/** A DNS name in the form that the URL parser gives: lower case, punycode, no trailing dot. */
export function isHostName(hostname: string): boolean {
  return hostname.length <= HOST_BYTES_MAX && HOST_NAME.test(hostname);
}

/** Expects a host name out of the URL parser, which turns every spelling of an address into one. */
export function isIpLiteral(hostname: string): boolean {
  return hostname.startsWith("[") || IPV4.test(hostname);
}

/** A name that means something on one machine or in one network only. */
export function isPrivateName(hostname: string): boolean {
  return !hostname.includes(".") || PRIVATE_SUFFIX.test(hostname);
}

/** A name may end with a dot, which browsers send as it was typed. */
const AFTER_NAME = /\.?(?::\d+)?$/;

/** The name in a Host header or a setting, whatever its spelling: in lower case, without port and trailing dot. */
export const hostNameOf = (text: string): string => text.toLowerCase().replace(AFTER_NAME, "");

/** The same with its port, unless that is the one of the scheme. */
export function hostAndPortOf(text: string, scheme: string): string {
  const port = portOf(text);
  return port === (scheme === "https:" ? ":443" : ":80") ? hostNameOf(text) : hostNameOf(text) + port;
}

/** With its colon, such as `:8080`; empty if there is none. */
export const portOf = (host: string): string => /:\d+$/.exec(host)?.[0] ?? "";

/** Where the links of a domain are: each is reached on the port of the instance's own, which has no name here. */
export const siteOf = (name: string | null, shortDomain: string): string =>
  name === null ? shortDomain : name + portOf(shortDomain);

/**
 * Whether one of these hosts may answer on the port of a URL. On those of http and https a proxy does, whatever the port
 * of the base URL is: an instance that was set up on 8080 often gets one later.
 */
export const isServedPort = (port: string, ownHosts: readonly string[]): boolean =>
  WEB_PORTS.has(port) || ownHosts.some((host) => portOf(host) === `:${port}`);

/** As the URL parser gives them: one that goes without saying is empty. */
const WEB_PORTS: ReadonlySet<string> = new Set(["", "80", "443"]);

export function withoutTrailingDot(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}
