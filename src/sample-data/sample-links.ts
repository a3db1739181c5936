import type { LinkCreate, Utm } from "#contract/link-record.ts";
import { seededRandom } from "#kernel/seeded-random.ts";
import { type ChannelName, channels } from "./channels.ts";
import { weightedChoice } from "./weighted-choice.ts";

/** A fictional link, to a host that is reserved for examples. */
export interface SampleLink {
  readonly createdMs: number;
  readonly channel: ChannelName;
  readonly body: LinkCreate & { readonly utm: Utm };
}

interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

const DAY_MS = 86_400_000;
/** The first links are created this long before the first click. */
export const LEAD_MS = 30 * DAY_MS;
const FIRST_SHARE = 1 / 3;
/** No link is created at the very end, so that each one has time to get clicks. */
const CREATED_UNTIL = 0.95;

const HOSTS = ["www.example.com", "shop.example.com", "blog.example.org", "events.example.net"];
const TOPICS = [
  "garden",
  "kitchen",
  "travel",
  "music",
  "running",
  "science",
  "design",
  "books",
  "cycling",
  "photography",
];
const SEASONS = ["spring", "summer", "autumn", "winter"];
const KINDS = ["sale", "guide", "webinar", "story", "review", "launch", "checklist", "festival", "interview", "offer"];

/** Links in the order of their creation; the same seed gives the same links. */
export function sampleLinks(count: number, { fromMs, toMs }: Range, seed: number): SampleLink[] {
  const random = seededRandom(seed);
  const first = Math.max(1, Math.floor(count * FIRST_SHARE));
  const pickChannel = weightedChoice(
    (Object.keys(channels) as ChannelName[]).map((name) => [name, channels[name].share] as const),
    random,
  );
  return Array.from({ length: count }, (_, index) => {
    const createdMs =
      index < first
        ? fromMs - LEAD_MS + (LEAD_MS * index) / first
        : fromMs + ((toMs - fromMs) * CREATED_UNTIL * (index - first)) / (count - first);
    const channel = pickChannel();
    return { createdMs: Math.floor(createdMs), channel, body: bodyOf(index, channel, random) };
  });
}

/** The same links in a random order, most popular first. The first one exists from the start of the range. */
export function byPopularity<T extends { readonly createdMs: number }>(
  links: readonly T[],
  fromMs: number,
  seed: number,
): T[] {
  const random = seededRandom(seed);
  const ranked = [...links];
  for (let last = ranked.length - 1; last > 0; last -= 1) swap(ranked, last, Math.floor(random() * (last + 1)));
  swap(
    ranked,
    0,
    Math.max(
      0,
      ranked.findIndex(({ createdMs }) => createdMs <= fromMs),
    ),
  );
  return ranked;
}

function swap<T>(list: T[], a: number, b: number): void {
  [list[a], list[b]] = [list[b] as T, list[a] as T];
}

function bodyOf(index: number, channel: ChannelName, random: () => number): SampleLink["body"] {
  const pick = (words: readonly string[]): string => words[Math.floor(random() * words.length)] ?? "";
  const [season, topic, kind] = [pick(SEASONS), pick(TOPICS), pick(KINDS)];
  const { utm } = channels[channel];
  const isCampaign = Object.keys(utm).length > 0;
  return {
    destination_url: `https://${pick(HOSTS)}/${topic}/${season}-${kind}-${index + 1}`,
    title: `${season.charAt(0).toUpperCase()}${season.slice(1)} ${topic} ${kind}`,
    tags: random() < 0.8 ? [channel, topic] : [],
    utm: isCampaign ? { ...utm, utm_campaign: `${season}-${topic}` } : {},
  };
}
