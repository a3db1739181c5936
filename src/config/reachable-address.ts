import { networkInterfaces } from "node:os";
import { isLoopbackHost } from "./plain-http.ts";
import type { Config } from "./settings.ts";

const EVERY_ADDRESS = ["0.0.0.0", "::", "[::]"];

/**
 * An address at which other machines can reach the server although only this machine can open its base URL: they see
 * pages, but nobody can sign in. `null` if host and base URL fit together.
 */
export function findUnexpectedAddress(
  { host, port, baseUrl }: Pick<Config, "host" | "port" | "baseUrl">,
  addresses: readonly string[] = ownAddresses(),
): string | null {
  const isReachable = EVERY_ADDRESS.includes(host) || !isLoopbackHost(host.includes(":") ? `[${host}]` : host);
  if (!isReachable || !isLoopbackHost(new URL(baseUrl).hostname)) return null;
  const address = EVERY_ADDRESS.includes(host) ? (addresses[0] ?? "this-machine") : host;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
