import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Artefact, type ArtefactPlace, BILL, writeBill } from "./artefacts.ts";
import { cutChangelog, releaseNotes } from "./changelog.ts";
import { writeChecksums } from "./checksums.ts";
import type { ReleasePlan } from "./release-plan.ts";
import { run } from "./run.ts";
import { setVersion } from "./version-places.ts";

export interface ReleaseOptions {
  readonly artefacts: readonly Artefact[];
  /** Told what happens next. */
  readonly onStep: (step: string) => void;
}

export const dateOf = ({ date }: Pick<ReleasePlan, "date">): string => date.toISOString().slice(0, 10);

/** Makes the release, up to the tag; returns the names of its files. If a step fails, everything is as before. */
export async function makeRelease(
  plan: ReleasePlan,
  { artefacts, onStep }: ReleaseOptions,
): Promise<readonly string[]> {
  const { root, version, tag, directory, notes } = plan;
  const before = await run(["git", "rev-parse", "HEAD"], root);
  try {
    onStep(`setting the version to ${version}, and cutting the changelog`);
    setVersion(root, version);
    const changelog = join(root, "CHANGELOG.md");
    writeFileSync(changelog, cutChangelog(readFileSync(changelog, "utf8"), version, dateOf(plan)));
    await run(["npm", "run", "--silent", "generate"], root);
    await run(["git", "commit", "--quiet", "--all", "--message", `chore(release): ${version}`], root);
    mkdirSync(directory, { recursive: true });
    const place: ArtefactPlace = { version, directory, madeAt: plan.date };
    for (const { what, command } of artefacts) {
      onStep(`making ${what}`);
      await run(command(place), root);
    }
    onStep(`making ${BILL}`);
    writeBill(place);
    writeFileSync(join(directory, "RELEASE_NOTES.md"), releaseNotes(notes, version));
    onStep("adding up checksums");
    const files = writeChecksums(directory);
    onStep(`tagging ${tag}`);
    // Its lines of hashes are headings of the changelog, not comments.
    const message = ["--cleanup=verbatim", "--file=-"];
    await run(["git", "tag", "--annotate", ...message, tag], root, `Kurz ${version}\n\n${notes}\n`);
    return files;
  } catch (error) {
    // The tree was clean, so nothing is lost that wasn't made here.
    await run(["git", "reset", "--quiet", "--hard", before], root);
    rmSync(directory, { recursive: true, force: true });
    throw error;
  }
}
