import type { ImportProgress } from "./import-options.ts";
import { type ImportProblem, listProblems } from "./problem-list.ts";
import { type Spool, writeLinesAt } from "./spool.ts";

type Listed = Pick<ImportProgress, "problemBytes" | "problems">;

/** Adds to what a run couldn't import as it was; repeating it after a crash changes nothing. */
export function addProblems(spool: Spool, before: Listed, problems: readonly ImportProblem[]): Listed {
  const { listed, counts } = listProblems(before.problems, problems);
  return { problemBytes: writeLinesAt(spool.problems, before.problemBytes, listed), problems: counts };
}
