import { isExposedPlainHttp } from "#config/plain-http.ts";
import type { NodeRole } from "#config/settings.ts";
import type { ServerMetrics } from "#monitoring/server-metrics.ts";

export interface Announcement {
  readonly baseUrl: string;
  readonly roles: readonly NodeRole[];
  /** Where the server listens, which is what a reverse proxy needs to know. */
  readonly listens: string;
  /** Where other machines reach it although the base URL says otherwise; `null` where the two fit together. */
  readonly unexpectedAddress: string | null;
  readonly dataDir: string;
  readonly metrics: ServerMetrics["served"];
  readonly hint: string | undefined;
}

const WHAT: Readonly<Record<NodeRole, string>> = {
  redirect: "short links only (KURZ_ROLES=redirect)",
  control: "everything but short links (KURZ_ROLES=control)",
};

/** What a person who started the server reads when it serves. */
export function formatAnnouncement({
  baseUrl,
  roles,
  listens,
  unexpectedAddress,
  dataDir,
  metrics,
  hint,
}: Announcement): string {
  const lines = [
    "",
    "  Kurz is running.",
    "",
    `  Address  ${baseUrl}`,
    `  Console  ${baseUrl}/console`,
    `  Docs     ${baseUrl}/docs`,
    `  Listens  ${listens}`,
    `  Data     ${dataDir}`,
  ];
  if (roles.length === 1) lines.push(`  Serves   ${WHAT[roles[0] as NodeRole]}`);
  if (metrics && "address" in metrics) lines.push(`  Metrics  ${metrics.address}`);
  if (isExposedPlainHttp(baseUrl)) {
    lines.push("", "  Warning: the base URL is plain http, so tokens and passwords travel unencrypted.");
    lines.push("  Put a proxy with TLS in front and set KURZ_BASE_URL to its https address.");
  }
  if (unexpectedAddress !== null) {
    lines.push("", `  Warning: other machines can open this server, but signing in works only at ${baseUrl}.`);
    lines.push(`  Set KURZ_BASE_URL to the address in the browser, such as ${unexpectedAddress}.`);
  }
  if (metrics && "problem" in metrics) {
    lines.push("", `  Warning: no metrics: ${metrics.problem}.`);
    lines.push("  Set KURZ_METRICS_ADDR to another address, or to off.");
  }
  if (hint) lines.push("", ...hint.split("\n").map((line) => `  ${line}`.trimEnd()));
  return [...lines, ""].join("\n");
}
