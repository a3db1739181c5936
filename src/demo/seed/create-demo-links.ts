import type { Caller } from "#kernel/caller.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { Services } from "#runtime/services.ts";
import type { ClickTarget } from "#sample-data/click-lines.ts";
import { createLinks } from "#sample-data/create-links.ts";
import { byPopularity, type SampleLink, sampleLinks } from "#sample-data/sample-links.ts";
import type { DemoAccount } from "./demo-accounts.ts";

interface DemoLinksOptions {
  readonly account: DemoAccount;
  readonly caller: Caller;
  readonly fromMs: number;
  readonly toMs: number;
  readonly seed: number;
}

interface End {
  readonly kind: "pause" | "archive" | "expiry";
  readonly atMs: number;
}

const HOUR_MS = 3_600_000;
/** All of them fit into the last two weeks, in which no link is created. */
const END_EVERY_MS = 8 * HOUR_MS;
// The first two hosts exist, so the page of a short link can open them; the others look like typical hosts.
const HOSTS = ["example.com", "example.org", "www.example.com", "shop.example.net"];

/** A popular link, and some others: a report of a split says little with a few clicks. */
const SPLIT_EVERY = 25;

const splitOf = (path: string) => ({
  name: "headline",
  split: [
    { name: "question", weight: 50, destination_url: `https://example.com/${path}?headline=question` },
    { name: "number", weight: 50, destination_url: `https://example.com/${path}?headline=number` },
  ],
});

/** Creates an account's links, and returns them most popular first. */
export async function createDemoLinks(services: Services, options: DemoLinksOptions): Promise<ClickTarget[]> {
  const { account, caller, fromMs, toMs, seed } = options;
  const samples = byPopularity(sampleLinks(account.links, { fromMs, toMs }, seed), fromMs, seed);
  const ends = endsOf(account, toMs);
  const bodies = samples.map((sample, rank) => withDemoBody(sample, rank, seed, ends.get(rank)));
  const targets = await createLinks(bodies, {
    records: services.records,
    linksAt: services.linksAt,
    caller,
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  for (const [rank, { kind, atMs }] of ends) {
    if (kind === "expiry") continue;
    await services.linksAt(() => atMs).act(caller, targets[rank]?.id ?? "", kind, null);
  }
  return targets.map((target, rank) => ({ ...target, ...endedAt(ends.get(rank)) }));
}

const endedAt = (end: End | undefined) => (end ? { endedMs: end.atMs } : {});

/** Which links have ended, by rank: the least popular ones. */
function endsOf({ links, paused, archived, expired }: DemoAccount, toMs: number): ReadonlyMap<number, End> {
  const kinds: readonly End["kind"][] = [
    ...Array<"pause">(paused).fill("pause"),
    ...Array<"archive">(archived).fill("archive"),
    ...Array<"expiry">(expired).fill("expiry"),
  ];
  return new Map(
    kinds.map((kind, index) => [links - kinds.length + index, { kind, atMs: toMs - (index + 1) * END_EVERY_MS }]),
  );
}

/** Readable slugs, the same in every generation. */
function withDemoBody({ body, ...sample }: SampleLink, rank: number, seed: number, end: End | undefined): SampleLink {
  const [topic = "", last = ""] = new URL(body.destination_url).pathname.slice(1).split("/");
  const name = last.replace(/-\d+$/, "");
  return {
    ...sample,
    body: {
      ...body,
      slug: `${topic}-${name}-${(seed * 1000 + rank).toString(36)}`,
      destination_url: `https://${HOSTS[rank % HOSTS.length]}/${topic}/${name}`,
      ...(rank % SPLIT_EVERY === 0 && { rules: [splitOf(`${topic}/${name}`)] }),
      ...(end?.kind === "expiry" && { expires_at: toTimestamp(end.atMs) }),
    },
  };
}
