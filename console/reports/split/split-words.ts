import type { Tone } from "#console/ui/panel.tsx";
import { reportTexts } from "#texts/reports.ts";
import { formatShare } from "../numbers.ts";
import { farthestWay, type SplitTest, type Verdict } from "./split-test.ts";

const texts = reportTexts.split;

interface SplitWords {
  readonly label: string;
  readonly tone: Tone;
  readonly text: string;
}

const tones: Readonly<Record<Verdict, Tone>> = {
  "too-few": "plain",
  "as-planned": "good",
  doubtful: "warn",
  off: "bad",
};

/** What came of a split, for people who never heard of a significance test. */
export const describeSplit = (tested: SplitTest, names: readonly string[]): SplitWords => ({
  label: texts.verdicts[tested.verdict],
  tone: tones[tested.verdict],
  text: describe(tested, names),
});

function describe(tested: SplitTest, names: readonly string[]): string {
  const { verdict, visitors, visitorsNeeded } = tested;
  if (visitors === 0) return texts.noVisitors;
  if (verdict === "too-few") return texts.tooFew(visitors, visitorsNeeded);
  const advice = verdict === "as-planned" ? [] : [texts[verdict]];
  return [compare(tested, names), describeChance(tested), ...advice].join(" ");
}

/** What the way that is farthest from its plan got. */
function compare({ ways, visitors }: SplitTest, names: readonly string[]): string {
  const at = farthestWay(ways);
  const { share = 0, planned = 0 } = ways[at] ?? {};
  return texts.compared(names[at] ?? "", formatShare(share, 1), visitors, formatShare(planned, 1));
}

/** From here on it would be odd to say how often chance makes such a difference. */
const SMALL_FROM = 0.5;

function describeChance({ chance, verdict }: SplitTest): string {
  if (chance >= SMALL_FROM) return texts.small;
  if (chance < 0.001) return texts.hardlyEver(1000);
  const of = chance < 0.01 ? 1000 : chance < 0.1 ? 100 : 10;
  return (verdict === "doubtful" ? texts.seldom : texts.often)(Math.round(chance * of), of);
}
