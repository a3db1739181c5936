import { cleanText } from "#clicks/click-line.ts";
import { utmKeys } from "#contract/limits.ts";
import type { Utm } from "#contract/link-record.ts";
import { seededRandom, zipfRanks } from "#kernel/seeded-random.ts";
import { type Channel, type ChannelName, channels } from "./channels.ts";
import { spreadClicks } from "./rhythm.ts";
import { type SampleVisitor, sampleVisitors } from "./sample-visitors.ts";
import { weightedChoice } from "./weighted-choice.ts";

/** A link that gets clicks from the moment it was created. */
export interface ClickTarget {
  readonly accountNo: number;
  readonly linkNo: number;
  readonly createdMs: number;
  /** When it stopped redirecting, if it did. */
  readonly endedMs?: number;
  readonly channel: ChannelName;
  readonly utm: Utm;
}

export interface ClickPlan {
  /** Most popular first. At least one must exist for the whole range. */
  readonly targets: readonly ClickTarget[];
  /** Clicks by people; bot hits are added to them. */
  readonly clicks: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly seed: number;
}

export interface ClickLines {
  /** Journal lines. */
  readonly lines: string;
  readonly clicks: number;
  readonly botHits: number;
}

interface Target {
  readonly createdMs: number;
  readonly endedMs: number;
  readonly channel: Channel;
  readonly referrer: () => string;
  /** Account number, link number and a tab each. */
  readonly numbers: string;
  /** The last fields, with the line feed. */
  readonly utm: string;
}

/** Generated in about a millisecond, so that other work on the event loop isn't delayed. */
const CHUNK_LINES_MAX = 500;
const BOT_SHARE = 0.14;

/** Sample clicks in chronological order, in chunks; the same plan gives the same lines. */
export function* clickLines({ targets, clicks, fromMs, toMs, seed }: ClickPlan): Generator<ClickLines> {
  const random = seededRandom(seed);
  const known = toTargets(targets, random);
  if (!known.some(({ createdMs, endedMs }) => createdMs <= fromMs && endedMs >= toMs)) {
    throw new Error("no link exists for the whole range");
  }
  const pickRank = zipfRanks(known.length, random);
  const visitors = sampleVisitors(random);

  const pickTarget = (atMs: number): Target => {
    for (;;) {
      const target = known[pickRank()];
      if (target && target.createdMs <= atMs && atMs < target.endedMs) return target;
    }
  };

  let lines = "";
  let people = 0;
  let botHits = 0;
  const takeLines = (): ClickLines => {
    const taken = { lines, clicks: people, botHits };
    lines = "";
    people = 0;
    botHits = 0;
    return taken;
  };

  for (const slot of spreadClicks(clicks, { fromMs, toMs }, random)) {
    const stepMs = (slot.toMs - slot.fromMs) / slot.clicks;
    for (let index = 0; index < slot.clicks; index += 1) {
      const atMs = slot.fromMs + Math.floor((index + random()) * stepMs);
      const target = pickTarget(atMs);
      lines += clickLine(atMs, target, visitors.person(atMs, target.channel.handhelds), random);
      people += 1;
      if (random() < BOT_SHARE) {
        const { numbers, utm } = pickTarget(atMs);
        const { before, after } = visitors.bot(atMs);
        lines += `${atMs}\t${numbers}1\t${before}${after}link\t${utm}`;
        botHits += 1;
      }
      if (people + botHits >= CHUNK_LINES_MAX) yield takeLines();
    }
  }
  if (lines !== "") yield takeLines();
}

function clickLine(
  atMs: number,
  { numbers, channel, referrer, utm }: Target,
  visitor: SampleVisitor,
  random: () => number,
) {
  const isScan = visitor.isHandheld && random() < channel.qr;
  const from = isScan || visitor.isPrivate ? "" : referrer();
  return `${atMs}\t${numbers}0\t${visitor.before}${from}${visitor.after}${isScan ? "qr" : "link"}\t${utm}`;
}

function toTargets(targets: readonly ClickTarget[], random: () => number): Target[] {
  const referrers = new Map<Channel, () => string>(
    Object.values(channels).map((channel) => [channel, weightedChoice<string>(channel.referrers, random)]),
  );
  return targets.map(({ accountNo, linkNo, createdMs, endedMs = Number.POSITIVE_INFINITY, channel, utm }) => ({
    createdMs,
    endedMs,
    channel: channels[channel],
    referrer: referrers.get(channels[channel]) ?? (() => ""),
    numbers: `${accountNo}\t${linkNo}\t`,
    utm: `${utmKeys.map((key) => cleanText(utm[key] ?? "")).join("\t")}\n`,
  }));
}
