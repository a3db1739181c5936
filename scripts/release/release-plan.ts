import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { unreleasedNotes } from "./changelog.ts";
import { nextVersion, stepFor } from "./next-version.ts";
import { run } from "./run.ts";

export interface ReleasePlan {
  readonly root: string;
  readonly current: string;
  readonly version: string;
  /** What the changelog lists for it. */
  readonly notes: string;
  readonly tag: string;
  /** Where its files go. */
  readonly directory: string;
  readonly date: Date;
}

/** Why nothing can be released now, one line each. */
export class NotReleasable extends Error {
  readonly reasons: readonly string[];

  constructor(reasons: readonly string[]) {
    super(reasons.join("\n"));
    this.reasons = reasons;
  }
}

const BRANCH = "main";

/** Finds out what a release would be, and refuses if something is in its way. Changes nothing. */
export async function planRelease(root: string, wanted: string | undefined, date: Date): Promise<ReleasePlan> {
  const reasons: string[] = [];
  const branch = await run(["git", "branch", "--show-current"], root);
  if (branch !== BRANCH) {
    reasons.push(`Releases are made on ${BRANCH}, and this is ${branch || "no branch"}: git switch ${BRANCH}`);
  }
  const changed = await run(["git", "status", "--porcelain"], root);
  if (changed !== "") reasons.push(`There are changes that aren't committed; commit or stash them:\n${changed}`);
  const { version: current } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const notes = attempt(reasons, () => unreleasedNotes(readFileSync(join(root, "CHANGELOG.md"), "utf8"))) ?? "";
  if (notes === "" && reasons.every((reason) => !reason.includes("CHANGELOG"))) {
    reasons.push('CHANGELOG.md lists nothing under "## Unreleased", so there is nothing to release.');
  }
  const version = attempt(reasons, () => nextVersion(current, wanted ?? stepFor(notes))) ?? current;
  const tag = `v${version}`;
  if ((await run(["git", "tag", "--list", tag], root)) !== "") reasons.push(`The tag ${tag} already exists.`);
  const directory = join(root, "dist", "release", version);
  if (existsSync(directory)) reasons.push(`${directory} already exists; remove it first.`);
  if (reasons.length > 0) throw new NotReleasable(reasons);
  return { root, current, version, notes, tag, directory, date };
}

function attempt<T>(reasons: string[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    reasons.push(`${(error as Error).message}.`);
    return undefined;
  }
}
