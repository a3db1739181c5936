/** A line about something that wasn't imported as it was. */
export interface ImportProblem {
  /** Of a file, or empty. */
  readonly line: string;
  /** The link's address at the source, or what else there is to find it by. */
  readonly where: string;
  readonly destination: string;
  readonly code: string;
  readonly message: string;
}

export const LOSS = "not_kept";
export const NO_LINK = "clicks_without_link";
export const NOT_STORED = "clicks_not_stored";

/** How many of each kind there are; so many of them are listed, and the file stays one that people can open. */
export type ProblemCounts = Readonly<Record<keyof typeof LISTED_MAX, number>>;

const LISTED_MAX = { links: 100_000, losses: 20_000, clicks: 10_000 } as const;

export const noProblems: ProblemCounts = { links: 0, losses: 0, clicks: 0 };

const kindOf = ({ code }: ImportProblem): keyof ProblemCounts => {
  if (code === LOSS) return "losses";
  return code === NO_LINK || code === NOT_STORED ? "clicks" : "links";
};

/** Those that are still listed, and how many there are with them. */
export function listProblems(before: ProblemCounts, problems: readonly ImportProblem[]) {
  const counts: Record<keyof ProblemCounts, number> = { ...before };
  const listed = problems.filter((problem) => {
    const kind = kindOf(problem);
    counts[kind] += 1;
    return counts[kind] <= LISTED_MAX[kind];
  });
  return { listed, counts: counts as ProblemCounts };
}

/** What a list ends with if it is longer than it may be. */
export function unlistedProblems(counts: ProblemCounts): ImportProblem[] {
  const names = { links: "problems with links", losses: "losses of links", clicks: "lines about clicks left out" };
  return (Object.keys(LISTED_MAX) as (keyof ProblemCounts)[])
    .map((kind) => ({ kind, more: counts[kind] - LISTED_MAX[kind] }))
    .filter(({ more }) => more > 0)
    .map(({ kind, more }) => ({
      ...{ line: "", where: "", destination: "", code: "more" },
      message: `There are ${more} more ${names[kind]}.`,
    }));
}
