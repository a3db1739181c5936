import { cleanText } from "#clicks/click-line.ts";
import { utmKeys } from "#contract/limits.ts";
import type { Utm } from "#contract/link-record.ts";
import { seededRandom, zipfRanks } from "#kernel/seeded-random.ts";
import { type Channel, type ChannelName, channels } from "./channels.ts";
import { spreadClicks } from "./rhythm.ts";
import { type Visitor, visitorDraws } from "./sample-visitors.ts";
import { weighted } from "./weighted-choice.ts";

/** A link that is to be clicked, from the moment it was made. */
export interface ClickTarget {
  readonly accountNo: number;
  readonly linkNo: number;
  readonly createdMs: number;
  /** When it stopped leading anywhere, if it did. */
  readonly endedMs?: number;
  readonly channel: ChannelName;
  readonly utm: Utm;
}

export interface ClickPlan {
  /** Most popular first. One of them must be there from the beginning to the end. */
  readonly targets: readonly ClickTarget[];
  /** Clicks of people; hits of bots come on top. */
  readonly clicks: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly seed: number;
}

export interface ClickLines {
  /** Lines of the journal. */
  readonly lines: string;
  readonly clicks: number;
  readonly botHits: number;
}

interface Target {
  readonly createdMs: number;
  readonly endedMs: number;
  readonly channel: Channel;
  readonly referrer: () => string;
  /** Account, link and the tab after it. */
  readonly numbers: string;
  /** The last fields, with the line feed. */
  readonly utm: string;
}

/** Made in about a millisecond, so that whoever shares the event loop is not held up. */
const LINES_MAX = 500;
const BOT_SHARE = 0.14;

/** Made-up clicks in the order of time; the same plan gives the same lines. */
export function* clickLines({ targets, clicks, fromMs, toMs, seed }: ClickPlan): Generator<ClickLines> {
  const random = seededRandom(seed);
  const known = toTargets(targets, random);
  if (!known.some(({ createdMs, endedMs }) => createdMs <= fromMs && endedMs >= toMs)) {
    throw new Error("no link is there from the beginning to the end");
  }
  const drawRank = zipfRanks(known.length, random);
  const visitors = visitorDraws(random);

  const drawTarget = (atMs: number): Target => {
    for (;;) {
      const target = known[drawRank()];
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
      const target = drawTarget(atMs);
      lines += clickLine(atMs, target, visitors.person(atMs, target.channel.handhelds), random);
      people += 1;
      if (random() < BOT_SHARE) {
        const { numbers, utm } = drawTarget(atMs);
        const { before, after } = visitors.bot(atMs);
        lines += `${atMs}\t${numbers}1\t${before}${after}link\t${utm}`;
        botHits += 1;
      }
      if (people + botHits >= LINES_MAX) yield takeLines();
    }
  }
  if (lines !== "") yield takeLines();
}

function clickLine(atMs: number, { numbers, channel, referrer, utm }: Target, visitor: Visitor, random: () => number) {
  const isScan = visitor.isHandheld && random() < channel.qr;
  const from = isScan || visitor.isPrivate ? "" : referrer();
  return `${atMs}\t${numbers}0\t${visitor.before}${from}${visitor.after}${isScan ? "qr" : "link"}\t${utm}`;
}

function toTargets(targets: readonly ClickTarget[], random: () => number): Target[] {
  const referrers = new Map<Channel, () => string>(
    Object.values(channels).map((channel) => [channel, weighted<string>(channel.referrers, random)]),
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
