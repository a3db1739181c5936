import type { ImportOptions } from "./import-options.ts";
import type { ImportedLink } from "./import-source.ts";
import { lossesOf, type Outcome } from "./place-link.ts";
import { type ImportProblem, LOSS, NO_LINK, NOT_STORED } from "./problem-list.ts";

/** What became of a link that wasn't created as it was, and what it lost if it was created. */
export function problemsOf(link: ImportedLink, outcome: Outcome, options: ImportOptions): ImportProblem[] {
  const line = link.line === undefined ? "" : String(link.line);
  const where = link.slug === "" ? nameOf(link) : `${link.host}/${link.slug}`.replace(/^\//, "");
  const say = (code: string, message: string): ImportProblem => ({
    ...{ line, where, destination: link.fields.destination_url, code, message },
  });
  if (outcome.kind === "imported_before") {
    return [say("imported_before", "An earlier import, or an earlier row, has created this link.")];
  }
  if (outcome.kind !== "created") return [say(outcome.code, outcome.message)];
  const slug = outcome.slug === null ? "The slug is now a random one." : `The slug is now "${outcome.slug}".`;
  const losses = lossesOf(link, options).map((loss) => say(LOSS, `${loss}.`));
  return [...(outcome.isRenamed ? [say("renamed", slug)] : []), ...losses];
}

/** The line says more than an id that was made of the row. */
const nameOf = ({ line, sourceId }: ImportedLink): string => (line === undefined ? sourceId : "");

interface LeftClicks {
  readonly where: string;
  readonly hasLink: boolean;
  counts: number;
  clicks: number;
}

/** Counts of clicks that weren't added, by link. */
export class LeftCounts {
  readonly #left = new Map<string, LeftClicks>();

  add(where: string, hasLink: boolean, clicks: number): void {
    const key = `${hasLink} ${where}`;
    const left = this.#left.get(key) ?? { where, hasLink, counts: 0, clicks: 0 };
    left.counts += 1;
    left.clicks += clicks;
    this.#left.set(key, left);
  }

  problems(): ImportProblem[] {
    return [...this.#left.values()].map(({ where, hasLink, counts, clicks }) => {
      const isOne = counts === 1;
      const what = `${counts} ${isOne ? "count" : "counts"} of clicks (${clicks} in all)`;
      const message = hasLink
        ? `${what} can't be stored: the day or the number is out of range.`
        : `${what} ${isOne ? "belongs" : "belong"} to no link that this import created.`;
      return { line: "", where, destination: "", code: hasLink ? NOT_STORED : NO_LINK, message };
    });
  }
}
