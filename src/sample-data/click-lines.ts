import { cleanText } from "#clicks/clean-text.ts";
import { type ClickShapes, openClickShapes } from "#clicks/click-shapes.ts";
import type { Definition } from "#clicks/journal/definitions.ts";
import { utmKeys } from "#contract/limits.ts";
import type { Utm } from "#contract/link-record.ts";
import { BOT_FLAG, QR_FLAG } from "#engines/clicks/click-format.ts";
import { seededRandom, zipfRanks } from "#kernel/seeded-random.ts";
import { type Channel, type ChannelName, channels } from "./channels.ts";
import { freshTargets } from "./fresh-targets.ts";
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
  /** The account's own domain that it is on. */
  readonly domain?: string;
  /** How often each of its rules decides, and how often none does (the empty text). */
  readonly rules?: readonly (readonly [rule: string, weight: number])[];
}

export interface ClickPlan {
  /** Most popular first. At least one must exist for the whole range. */
  readonly targets: readonly ClickTarget[];
  /** Clicks by people; bot hits are added to them. */
  readonly clicks: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly seed: number;
  /** Of the clicks, how many are on links that are new at the time; 0 by default. */
  readonly freshShare?: number;
}

export interface ClickLines {
  /** Journal lines. */
  readonly lines: string;
  /** The texts that they refer to. */
  readonly uses: readonly Definition[];
  readonly clicks: number;
  readonly botHits: number;
}

interface Target {
  readonly createdMs: number;
  readonly endedMs: number;
  readonly channel: Channel;
  readonly referrer: () => Definition;
  /** Account number, link number and a tab each. */
  readonly numbers: string;
  readonly campaign: () => Definition;
}

/** Generated in about a millisecond, so that other work on the event loop isn't delayed. */
const CHUNK_LINES_MAX = 500;
const BOT_SHARE = 0.14;

/** Sample clicks in chronological order, in chunks; the same plan gives the same lines. */
export function* clickLines({ targets, clicks, fromMs, toMs, seed, freshShare = 0 }: ClickPlan): Generator<ClickLines> {
  const random = seededRandom(seed);
  const shapes = openClickShapes();
  const known = toTargets(targets, random, shapes);
  const noReferrer = shapes.referrer("");
  if (!known.some(({ createdMs, endedMs }) => createdMs <= fromMs && endedMs >= toMs)) {
    throw new Error("no link exists for the whole range");
  }
  const pickRank = zipfRanks(known.length, random);
  const visitors = sampleVisitors(random, shapes);

  const pickFresh = freshTargets(known, random);

  const pickTarget = (atMs: number): Target => {
    const fresh = freshShare > 0 && random() < freshShare ? pickFresh(atMs) : undefined;
    if (fresh) return fresh;
    for (;;) {
      const target = known[pickRank()];
      if (target && target.createdMs <= atMs && atMs < target.endedMs) return target;
    }
  };

  let lines = "";
  let uses = new Set<Definition>();
  let people = 0;
  let botHits = 0;
  const addLine = (atMs: number, click: SampleClick): void => {
    const { target, visitor, flags, referrer } = click;
    const texts = [visitor.place, visitor.client, referrer, target.campaign()];
    for (const one of texts) uses.add(one);
    const numbers = texts.map(({ field }) => field).join("\t");
    lines += `${atMs}\t${target.numbers}${flags}\t${visitor.hash}\t${numbers}\n`;
  };
  const takeLines = (): ClickLines => {
    const taken = { lines, uses: [...uses], clicks: people, botHits };
    lines = "";
    uses = new Set();
    people = 0;
    botHits = 0;
    return taken;
  };

  for (const slot of spreadClicks(clicks, { fromMs, toMs }, random)) {
    const stepMs = (slot.toMs - slot.fromMs) / slot.clicks;
    for (let index = 0; index < slot.clicks; index += 1) {
      const atMs = slot.fromMs + Math.floor((index + random()) * stepMs);
      const target = pickTarget(atMs);
      const visitor = visitors.person(atMs, target.channel.handhelds);
      const isScan = visitor.isHandheld && random() < target.channel.qr;
      const referrer = isScan || visitor.isPrivate ? noReferrer : target.referrer();
      addLine(atMs, { target, visitor, flags: isScan ? QR_FLAG : 0, referrer });
      people += 1;
      if (random() < BOT_SHARE) {
        const hit = { target: pickTarget(atMs), visitor: visitors.bot(atMs) };
        addLine(atMs, { ...hit, flags: BOT_FLAG, referrer: noReferrer });
        botHits += 1;
      }
      if (people + botHits >= CHUNK_LINES_MAX) yield takeLines();
    }
  }
  if (lines !== "") yield takeLines();
}

interface SampleClick {
  readonly target: Target;
  readonly visitor: SampleVisitor;
  readonly flags: number;
  readonly referrer: Definition;
}

function toTargets(targets: readonly ClickTarget[], random: () => number, shapes: ClickShapes): Target[] {
  const referrers = new Map<Channel, () => Definition>(
    Object.values(channels).map((channel) => {
      const pick = weightedChoice<string>(channel.referrers, random);
      return [channel, () => shapes.referrer(pick())];
    }),
  );
  return targets.map(({ accountNo, linkNo, createdMs, endedMs = Number.POSITIVE_INFINITY, channel, ...texts }) => ({
    createdMs,
    endedMs,
    channel: channels[channel],
    referrer: referrers.get(channels[channel]) ?? (() => shapes.referrer("")),
    numbers: `${accountNo}\t${linkNo}\t`,
    campaign: campaignsOf(texts, random, shapes),
  }));
}

function campaignsOf(
  { utm, domain = "", rules }: Pick<ClickTarget, "utm" | "domain" | "rules">,
  random: () => number,
  shapes: ClickShapes,
): () => Definition {
  const shapeOf = (rule: string): Definition =>
    shapes.campaign([...utmKeys.map((key) => utm[key] ?? ""), domain, rule].map(cleanText).join("\t"));
  const plain = shapeOf("");
  if (!rules) return () => plain;
  return weightedChoice(
    rules.map(([rule, weight]) => [shapeOf(rule), weight]),
    random,
  );
}
