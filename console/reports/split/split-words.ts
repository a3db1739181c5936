import { formatExact, plural } from "#console/ui/format.ts";
import type { Tone } from "#console/ui/panel.tsx";
import { formatShare } from "../numbers.ts";
import { farthestWay, type SplitTest, type Verdict } from "./split-test.ts";

interface SplitWords {
  readonly label: string;
  readonly tone: Tone;
  readonly text: string;
}

const labels: Readonly<Record<Verdict, readonly [label: string, tone: Tone]>> = {
  "too-few": ["Too early to tell", "plain"],
  "as-planned": ["As planned", "good"],
  doubtful: ["Slightly off", "warn"],
  off: ["Not as planned", "bad"],
};

/** What came of a split, for people who never heard of a significance test. */
export function describeSplit(tested: SplitTest, names: readonly string[]): SplitWords {
  const [label, tone] = labels[tested.verdict];
  return { label, tone, text: describe(tested, names) };
}

function describe(tested: SplitTest, names: readonly string[]): string {
  const { verdict, visitors, visitorsNeeded, chance } = tested;
  if (visitors === 0) return "Nobody was sent to one of these destinations in this period.";
  if (verdict === "too-few") {
    return `${plural(visitors, "visitor")} so far. From about ${formatExact(visitorsNeeded)} on, chance can be told from a real difference.`;
  }
  const often = `Chance alone makes a difference this large in ${verdict === "doubtful" ? "only " : ""}${writeChance(chance)} splits.`;
  return [
    compare(tested, names),
    chance >= SMALL_FROM ? "A difference this small is mere chance." : often,
    advice[verdict],
  ]
    .filter((sentence) => sentence !== undefined)
    .join(" ");
}

/** From here on it would be odd to say how often chance makes such a difference. */
const SMALL_FROM = 0.5;

const advice: Partial<Record<Verdict, string>> = {
  doubtful: "See if it stays with more visitors.",
  off: "If you changed the weights or destinations, choose a period after that.",
};

/** What the way that is farthest from its plan got. */
function compare({ ways, visitors }: SplitTest, names: readonly string[]): string {
  const at = farthestWay(ways);
  const { share = 0, planned = 0 } = ways[at] ?? {};
  return `“${names[at]}” got ${formatShare(share, 1)} of ${formatExact(visitors)} visitors; ${formatShare(planned, 1)} was planned.`;
}

function writeChance(chance: number): string {
  if (chance < 0.001) return "fewer than 1 of 1,000";
  if (chance < 0.01) return `about ${Math.round(chance * 1000)} of 1,000`;
  return chance < 0.1 ? `about ${Math.round(chance * 100)} of 100` : `about ${Math.round(chance * 10)} of 10`;
}
