import type { Utm } from "#contract/link-record.ts";
import type { Caller } from "#kernel/caller.ts";
import { toTimestamp } from "#kernel/clock.ts";
import type { LinkService } from "#links/links.service.ts";
import type { Services } from "#runtime/services.ts";
import type { ClickTarget } from "#sample-data/click-lines.ts";
import { type CreatedLink, createLinks } from "#sample-data/create-links.ts";
import { byPopularity, type SampleLink, sampleLinks } from "#sample-data/sample-links.ts";
import type { ShareService } from "#shares/shares.service.ts";
import type { DemoAccount } from "./demo-accounts.ts";
import { type Change, changesOf, draftOf, isChanged } from "./demo-changes.ts";
import type { DemoPage } from "./demo-pages.ts";
import { readdressShare } from "./demo-shares.store.ts";

interface DemoLinksOptions {
  readonly account: DemoAccount;
  /** Who works in the account: the first creates its links, and all of them change some. */
  readonly callers: readonly [Caller, ...Caller[]];
  readonly fromMs: number;
  readonly toMs: number;
  readonly seed: number;
}

interface End {
  readonly kind: "pause" | "archive" | "expiry";
  readonly atMs: number;
}

/** Something that is done to a link after its creation. */
interface Deed {
  readonly rank: number;
  readonly atMs: number;
  readonly run: (services: ServicesThen, caller: Caller, id: string) => Promise<unknown>;
}

/** As of the time of a deed. */
interface ServicesThen {
  readonly links: LinkService;
  readonly shares: ShareService;
}

const HOUR_MS = 3_600_000;
const SHARED_MS = 3 * 24 * HOUR_MS;
/** All of them fit into the last two weeks. */
const END_EVERY_MS = 8 * HOUR_MS;
/** Links that have ended are older than this. */
const SETTLED_MS = 30 * 24 * HOUR_MS;

/** How long ago the newest links were created, in hours: someone is at work in this account. */
const NEWEST_HOURS = [0.6, 4, 20, 27, 46, 70, 95, 122, 150, 195, 240, 310, 380, 450];
/** Of a small account, at most this share is that new. */
const NEWEST_SHARE = 1 / 4;
/** New links are among the most popular ones: every third of those. */
const NEWEST_EVERY = 3;
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
  const { account, callers, fromMs, toMs, seed } = options;
  const ends = endsOf(account, toMs);
  const samples = withNewest(sampleLinks(account.pages.length, { fromMs, toMs }, seed), toMs);
  const ranked = rankedFor(byPopularity(samples, fromMs, seed), toMs, ends.size);
  const bodies = ranked.map((sample, rank) => withDemoBody(sample, account.pages[rank], rank, ends.get(rank)));
  const deeds = [
    ...endingDeeds(ends),
    ...changingDeeds(bodies, toMs),
    ...sharingDeeds(services, account, toMs),
  ].toSorted((a, b) => a.atMs - b.atMs);
  const targets = new Map<SampleLink, CreatedLink>();
  const waiting = bodies.toSorted((a, b) => a.createdMs - b.createdMs);
  const withDraft = (sample: SampleLink): SampleLink =>
    isChanged(bodies.indexOf(sample)) ? { ...sample, body: draftOf(sample.body) } : sample;
  const createUntil = async (atMs: number): Promise<void> => {
    const later = waiting.findIndex(({ createdMs }) => createdMs > atMs);
    const due = waiting.splice(0, later === -1 ? waiting.length : later);
    const created = await createLinks(due.map(withDraft), {
      records: services.records,
      linksAt: services.linksAt,
      caller: callers[0],
      signal: new AbortController().signal,
      onProgress: () => {},
    });
    for (const [index, target] of created.entries()) targets.set(due[index] as SampleLink, target);
  };
  const targetAt = (rank: number): CreatedLink => {
    const target = targets.get(bodies[rank] as SampleLink);
    if (!target) throw new Error(`link ${rank} of the demo ends before it is created`);
    return target;
  };
  // Everything in order of time, as the audit log shows it.
  for (const [index, { rank, atMs, run }] of deeds.entries()) {
    await createUntil(atMs);
    const caller = callers[index % callers.length] ?? callers[0];
    const clock = () => atMs;
    const then = { links: services.linksAt(clock), shares: services.sharesAt(clock) };
    await run(then, { ...caller, via: "dashboard" }, targetAt(rank).id);
  }
  await createUntil(toMs);
  return bodies.map((_, rank) => ({ ...targetAt(rank), ...endedAt(ends.get(rank)) }));
}

const endingDeeds = (ends: ReadonlyMap<number, End>): Deed[] =>
  [...ends].flatMap(([rank, { kind, atMs }]) =>
    kind === "expiry" ? [] : [{ rank, atMs, run: ({ links }, caller, id) => links.act(caller, id, kind, null) }],
  );

const changingDeeds = (samples: readonly SampleLink[], toMs: number): Deed[] =>
  samples.flatMap((sample, rank) =>
    isChanged(rank) ? changesOf(sample, toMs).map(({ atMs, to }): Deed => ({ rank, atMs, run: change(to) })) : [],
  );

const change =
  (to: Change["to"]): Deed["run"] =>
  ({ links }, caller, id) =>
    typeof to === "number" ? links.revert(caller, id, to, null) : links.update(caller, id, to, null);

const sharingDeeds = ({ records }: Services, account: DemoAccount, toMs: number): Deed[] =>
  account.shares.map(({ rank, token, terms }) => ({
    rank,
    atMs: toMs - SHARED_MS,
    run: async ({ shares }, caller, id) => {
      const share = await shares.create(caller, id, { min_visitors: 1, timezone: "UTC", ...terms }, null);
      if (!("id" in share)) throw new Error("a share without an idempotency key was replayed");
      await records.write((tx) => readdressShare(tx, share.id, token));
    },
  }));

const endedAt = (end: End | undefined) => (end ? { endedMs: end.atMs } : {});

/** The last ones to be created are from the last days, up to the last hour. */
function withNewest(samples: readonly SampleLink[], toMs: number): SampleLink[] {
  const ages = NEWEST_HOURS.slice(0, Math.floor(samples.length * NEWEST_SHARE));
  return samples.map((sample, index) => {
    const hours = ages[samples.length - 1 - index];
    return hours === undefined ? sample : { ...sample, createdMs: toMs - hours * HOUR_MS };
  });
}

/** Most popular first, with new links among those, and links old enough to have ended at the end. */
function rankedFor(samples: readonly SampleLink[], toMs: number, ended: number): SampleLink[] {
  const isSettled = ({ createdMs }: SampleLink): boolean => createdMs < toMs - SETTLED_MS;
  const last = new Set(samples.filter(isSettled).slice(-ended));
  const newest = samples.filter((sample) => !isSettled(sample));
  const others = samples.filter((sample) => isSettled(sample) && !last.has(sample));
  for (const [index, sample] of newest.entries()) others.splice((index + 1) * NEWEST_EVERY - 1, 0, sample);
  return [...others, ...last];
}

/** Which links have ended, by rank: the least popular ones. */
function endsOf({ pages, paused, archived, expired }: DemoAccount, toMs: number): ReadonlyMap<number, End> {
  const kinds: readonly End["kind"][] = [
    ...Array<"pause">(paused).fill("pause"),
    ...Array<"archive">(archived).fill("archive"),
    ...Array<"expiry">(expired).fill("expiry"),
  ];
  return new Map(
    kinds.map((kind, index) => [
      pages.length - kinds.length + index,
      { kind, atMs: toMs - (index + 1) * END_EVERY_MS },
    ]),
  );
}

/** The season of a sample's campaign, and what this account advertises. */
const withCampaign = (utm: Utm, tag: string): Utm =>
  utm.utm_campaign === undefined ? utm : { ...utm, utm_campaign: `${utm.utm_campaign.split("-")[0]}-${tag}` };

/** Slugs and titles as people choose them, the same in every generation. */
function withDemoBody(
  { body, ...sample }: SampleLink,
  page: DemoPage | undefined,
  rank: number,
  end: End | undefined,
): SampleLink {
  if (!page) throw new Error(`the demo has no page for link ${rank}`);
  const { slug, title, path, tag } = page;
  return {
    ...sample,
    body: {
      ...body,
      utm: withCampaign(body.utm, tag),
      slug,
      title,
      tags: [...new Set([sample.channel, tag])],
      destination_url: `https://${HOSTS[rank % HOSTS.length]}/${path}`,
      ...(rank % SPLIT_EVERY === 0 && { rules: [splitOf(path)] }),
      ...(end?.kind === "expiry" && { expires_at: toTimestamp(end.atMs) }),
    },
  };
}
