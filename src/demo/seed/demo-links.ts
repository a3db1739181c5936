import type { ClickTarget } from "#clicks/generate/click-lines.ts";
import { makeLinks } from "#clicks/generate/make-links.ts";
import { byPopularity, type SampleLink, sampleLinks } from "#clicks/generate/sample-links.ts";
import type { Caller } from "#kernel/caller.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { Services } from "#runtime/services.ts";
import type { DemoAccount } from "./demo-accounts.ts";

interface Wanted {
  readonly account: DemoAccount;
  readonly caller: Caller;
  readonly fromMs: number;
  readonly toMs: number;
  readonly seed: number;
}

const HOUR_MS = 3_600_000;
// Two of these hosts can be visited from the preview of a short link; the others show what a visitor usually sees.
const HOSTS = ["example.com", "example.org", "www.example.com", "shop.example.net"];

/** Makes the links of an account; returns them most popular first, for their clicks. */
export async function makeDemoLinks(services: Services, wanted: Wanted): Promise<ClickTarget[]> {
  const { account, caller, fromMs, toMs, seed } = wanted;
  const samples = byPopularity(sampleLinks(account.links, { fromMs, toMs }, seed), fromMs, seed);
  const { paused, archived, expired } = account;
  const firstOver = samples.length - paused - archived - expired;
  const bodies = samples.map((sample, rank) => {
    const isExpired = rank >= samples.length - expired;
    return withDemoBody(sample, rank, seed, isExpired ? toMs - (rank % 20) * HOUR_MS : null);
  });
  const targets = await makeLinks(bodies, {
    records: services.records,
    linksAt: services.linksAt,
    caller,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  const over = targets.slice(firstOver, firstOver + paused + archived);
  for (const [index, { linkNo }] of over.entries()) {
    const { id } = await services.records.read
      .selectFrom("links")
      .select("id")
      .where("no", "=", linkNo)
      .executeTakeFirstOrThrow();
    const links = services.linksAt(() => toMs - index * HOUR_MS);
    await links.act(caller, id, index < paused ? "pause" : "archive", null);
  }
  return targets;
}

/** Readable slugs, the same in every generation. */
function withDemoBody(
  { body, ...sample }: SampleLink,
  rank: number,
  seed: number,
  expiresMs: number | null,
): SampleLink {
  const [topic = "", last = ""] = new URL(body.destination_url).pathname.slice(1).split("/");
  const name = last.replace(/-\d+$/, "");
  return {
    ...sample,
    body: {
      ...body,
      slug: `${topic}-${name}-${(seed * 1000 + rank).toString(36)}`,
      destination_url: `https://${HOSTS[rank % HOSTS.length]}/${topic}/${name}`,
      ...(expiresMs !== null && { expires_at: toTimestamp(Math.max(expiresMs, sample.createdMs + HOUR_MS)) }),
    },
  };
}
