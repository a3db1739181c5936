import { networkInterfaces } from "node:os";
import { isOwnMachine } from "./plain-http.ts";
import type { Config } from "./settings.ts";

const EVERY_ADDRESS = ["0.0.0.0", "::", "[::]"];

/**
 * An address at which other machines reach the server although its base URL is one that only this machine can open:
 * pages show there, but nobody can sign in. `null` where the two fit together.
 */
export function findUnexpectedAddress(
  { host, port, baseUrl }: Pick<Config, "host" | "port" | "baseUrl">,
  addresses: readonly string[] = ownAddresses(),
): string | null {
  const isReachable = EVERY_ADDRESS.includes(host) || !isOwnMachine(host.includes(":") ? `[${host}]` : host);
  if (!isReachable || !isOwnMachine(new URL(baseUrl).hostname)) return null;
  const address = EVERY_ADDRESS.includes(host) ? (addresses[0] ?? "this-machine") : host;
  return `http://${address.includes(":") ? `[${address}]` : address}:${port}`;
}

const ownAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((entries) => entries ?? [])
    .filter(({ family, internal }) => family === "IPv4" && !internal)
    .map(({ address }) => address);
