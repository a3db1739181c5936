import { expect, test } from "bun:test";
import { cutChangelog, releaseNotes, unreleasedNotes } from "../../scripts/release/changelog.ts";
import { nextVersion, stepFor } from "../../scripts/release/next-version.ts";

const CHANGELOG =
  "# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing ([how](docs/a.md#b)).\n\n## 0.9.0 - 2026-01-02\n\n- Old.\n";

test("a cut gives what is unreleased a version and a date, and leaves room for what comes next", () => {
  expect(unreleasedNotes(CHANGELOG)).toBe("### Added\n\n- A thing ([how](docs/a.md#b)).");
  const cut = cutChangelog(CHANGELOG, "1.0.0", "2026-11-18");
  expect(cut).toContain("## Unreleased\n\n## 1.0.0 - 2026-11-18\n\n### Added\n\n- A thing");
  expect(cut).toContain("## 0.9.0 - 2026-01-02\n\n- Old.\n");
  expect(unreleasedNotes(cut)).toBe("");
  expect(() => cutChangelog(cut, "1.0.1", "2026-11-18")).toThrow("lists nothing");
  expect(() => cutChangelog(CHANGELOG, "0.9.0", "2026-11-18")).toThrow("already has a section");
  expect(() => unreleasedNotes("# Changelog\n")).toThrow("## Unreleased");
});

test("release notes lead to the files of the archive", () => {
  expect(releaseNotes(unreleasedNotes(CHANGELOG), "1.0.0")).toContain("[how](kurz-1.0.0/docs/a.md#b)");
  expect(releaseNotes("See [that](https://a.example/).", "1.0.0")).toContain("(https://a.example/)");
});

test.each([
  ["0.1.0", "1.0.0", "1.0.0"],
  ["1.0.0", "v1.0.1", "1.0.1"],
  ["1.2.3", "major", "2.0.0"],
  ["1.2.3", "minor", "1.3.0"],
  ["1.2.3", "patch", "1.2.4"],
  ["1.9.0", "1.10.0", "1.10.0"],
  ["1.0.0-rc.1", "1.0.0", "1.0.0"],
  ["1.0.0-rc.1", "1.0.0-rc.2", "1.0.0-rc.2"],
])("after %s, %s is %s", (current, wanted, version) => {
  expect(nextVersion(current, wanted)).toBe(version);
});

test.each([
  ["1.2.3", "1.2.3"],
  ["1.2.3", "1.2.2"],
  ["1.2.3", "0.9.9"],
  ["1.0.0", "1.0.0-rc.1"],
  ["1.2.3", "next"],
  ["1.2.3", "1.2"],
  ["1.2.3", "01.2.4"],
])("after %s, %s is refused", (current, wanted) => {
  expect(() => nextVersion(current, wanted)).toThrow(wanted);
});

test("fixes alone make a patch; anything else a minor version", () => {
  expect(stepFor("### Fixed\n\n- A bug.\n\n### Security\n\n- A hole.")).toBe("patch");
  expect(stepFor("### Fixed\n\n- A bug.\n\n### Added\n\n- A thing.")).toBe("minor");
});
