import { POPULAR_LINES } from "./stage.ts";
import { median, ratioOfSamples } from "./statistics.ts";
import { type Burst, runWrk } from "./wrk.ts";

/** Who visits. A single visitor keeps coming back. */
export interface Crowd {
  /** The end of a row's name. */
  readonly who: string;
  readonly visitors: number;
}

// Many more than any visitor cache would hold, since most clicks are by new visitors.
const VISITORS = 50_000;
export const CROWDS: readonly Crowd[] = [
  { who: "", visitors: VISITORS },
  { who: ", one visitor", visitors: 1 },
];

const STARTS = { full: 8, quick: 4 };
const BURSTS = 2;
// CPU is measured until all clicks are ingested, so a longer burst reduces the share of background work.
const SECONDS = 2;
// Until the runtime has compiled what is used most; a start is some 20 % dearer in its first bursts.
const WARM_UP_SECONDS = 5;

/** What is visited in one turn. */
interface Target {
  readonly server: { readonly url: string };
  readonly data: { readonly popularFile: string };
}

/** The bursts of each crowd. */
type Turn<B> = readonly (readonly B[])[];

/** For each crowd, the bursts of each start. */
type Started<B> = readonly (readonly (readonly B[])[])[];

/** Visits one server: first as warm-up, then the crowds in turn. */
export async function visitInTurn<B extends Burst>(
  { server: { url }, data: { popularFile: pathFile } }: Target,
  measure: (visit: (watched?: readonly (readonly number[])[]) => Promise<Burst>) => Promise<B>,
): Promise<Turn<B>> {
  const burst = { url, pathFile, lines: POPULAR_LINES };
  const visit = (visitors: number) => (watched?: readonly (readonly number[])[]) =>
    runWrk({ ...burst, visitors, seconds: SECONDS }, watched);
  await runWrk({ ...burst, visitors: VISITORS, seconds: WARM_UP_SECONDS });
  const bursts: B[][] = CROWDS.map(() => []);
  for (let round = 0; round < BURSTS; round += 1) {
    for (const [index, { visitors }] of CROWDS.entries()) bursts[index]?.push(await measure(visit(visitors)));
  }
  return bursts;
}

/**
 * Starts both sides several times, in turn. One start of a server differs from the next, because the runtime compiles other
 * parts of the program at other moments, so bursts on one start say nothing about the program.
 */
export async function compareStarts<B, O>(
  { isQuick }: { readonly isQuick: boolean },
  turns: { readonly ours: () => Promise<Turn<B>>; readonly theirs: () => Promise<Turn<O>> },
): Promise<{ readonly ours: Started<B>; readonly theirs: Started<O> }> {
  const ours: Turn<B>[] = [];
  const theirs: Turn<O>[] = [];
  for (let start = 0; start < (isQuick ? STARTS.quick : STARTS.full); start += 1) {
    // Every other time in reverse order, so that neither always follows the other.
    if (start % 2 === 0) ours.push(await turns.ours());
    theirs.push(await turns.theirs());
    if (start % 2 === 1) ours.push(await turns.ours());
  }
  return { ours: byCrowd(ours), theirs: byCrowd(theirs) };
}

const byCrowd = <B>(turns: readonly Turn<B>[]): Started<B> =>
  CROWDS.map((_, crowd) => turns.map((bursts) => bursts[crowd] ?? []));

/** One figure per start. */
export const figuresOf = <B>(starts: Started<B>, crowd: number, of: (burst: B) => number): number[] =>
  (starts[crowd] ?? []).map((bursts) => median(bursts.map(of)));

/** The median of all starts, and how far they are apart. */
export const spreadOf = (figures: readonly number[], format: (value: number) => string): string =>
  `${format(median(figures))} (${format(Math.min(...figures))} – ${format(Math.max(...figures))})`;

/** The cells of a row that compares starts. */
export const cellsOf = (ours: readonly number[], theirs: readonly number[], format: (value: number) => string) => ({
  ours: spreadOf(ours, format),
  baseline: spreadOf(theirs, format),
  ...ratioOfSamples(ours, theirs),
});
