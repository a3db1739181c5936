const UNRELEASED = "## Unreleased";

/** What the next release brings; empty if nothing is listed. */
export function unreleasedNotes(changelog: string): string {
  const start = changelog.indexOf(`${UNRELEASED}\n`);
  if (start < 0) throw new Error(`CHANGELOG.md has no line "${UNRELEASED}"`);
  return sectionAfter(changelog, start);
}

/** Gives everything unreleased a version and a date, and leaves the heading for what comes next. */
export function cutChangelog(changelog: string, version: string, date: string): string {
  if (unreleasedNotes(changelog) === "") throw new Error(`CHANGELOG.md lists nothing under "${UNRELEASED}"`);
  if (changelog.includes(`\n## ${version} `)) throw new Error(`CHANGELOG.md already has a section for ${version}`);
  return changelog.replace(`${UNRELEASED}\n`, `${UNRELEASED}\n\n## ${version} - ${date}\n`);
}

function sectionAfter(changelog: string, start: number): string {
  const text = changelog.slice(changelog.indexOf("\n", start) + 1);
  const end = text.search(/^## /m);
  return (end < 0 ? text : text.slice(0, end)).trim();
}

const LINK = /\]\((?!https?:|#)([^)]+)\)/g;

/** The section as a text of its own: links to files lead to those of the release's archive. */
export function releaseNotes(notes: string, version: string): string {
  return `# Kurz ${version}\n\n${notes.replace(LINK, `](kurz-${version}/$1)`)}\n`;
}
