import type { FieldError } from "#contract/errors.ts";
import type { Sql } from "#engines/records/schema.ts";
import { bodyProblem, validationFailed } from "#kernel/api-error.ts";
import type { Caller } from "#kernel/caller.ts";
import { selfReference } from "#shared/destination-rules.ts";
import { isServedPort } from "#shared/host-name.ts";
import { findNames } from "./link-domains.store.ts";

export interface NamedUrl {
  /** Its place in a body, such as `rules.0.split.1.destination_url`. */
  readonly field: string;
  /** As it is stored. */
  readonly url: string;
}

interface Options {
  /** The instance's own, maybe with a port. */
  readonly ownHosts: readonly string[];
  /** A domain that is about to be added. */
  readonly added?: string;
}

/**
 * For an account, its domains are as the instance's own hosts, whatever their state: links wait there or will, so an
 * address on them may lead in a circle. Domains of other accounts are other people's sites.
 */
export async function assertLeadsElsewhere(
  sql: Sql,
  { accountNo, hasNoDomains }: Pick<Caller, "accountNo" | "hasNoDomains">,
  urls: readonly NamedUrl[],
  { ownHosts, added }: Options,
): Promise<void> {
  if (urls.length === 0 || (hasNoDomains === true && added === undefined)) return;
  const places = urls.map(({ field, url }) => ({ field, at: new URL(url) }));
  const own = new Set(await findNames(sql, accountNo, [...new Set(places.map(({ at }) => at.hostname))]));
  if (added !== undefined) own.add(added);
  const problems = places.flatMap(({ field, at: { hostname, host, port } }): FieldError[] => {
    if (!own.has(hostname) || !isServedPort(port, ownHosts)) return [];
    const { code, message } = selfReference(host);
    return [bodyProblem(field, code, message)];
  });
  if (problems.length > 0) throw validationFailed(problems);
}
