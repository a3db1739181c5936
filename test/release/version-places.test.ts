import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import manifest from "../../package.json";
import { VERSION_MENTION, versionPlaces, versionsIn, withVersion } from "../../scripts/release/version-places.ts";
import { projectFiles } from "./project-files.ts";

const root = join(import.meta.dir, "..", "..");
const textOf = (path: string): string => readFileSync(join(root, path), "utf8");
// They name versions of packages, of releases that were, or of nothing that exists.
const OTHERS =
  /^(?:CHANGELOG\.md|THIRD_PARTY_LICENSES|docs\/decisions\/|test\/|src\/.*\.test\.ts$|scripts\/release)|package-lock\.json$/;
const TEXT = /\.(?:json|ya?ml|md|toml|py|ts|tsx|sh|txt|cfg|js)$|\/[^.]+$|^[^./]+$/;

test.each([...versionPlaces])("$path names this version, and a release sets it", (place) => {
  const text = textOf(place.path);
  const found = versionsIn(text, place.pattern);
  expect(new Set(found)).toEqual(new Set([manifest.version]));
  const next = withVersion(text, place, "98.76.54");
  expect(versionsIn(next, place.pattern)).toEqual(found.map(() => "98.76.54"));
  // And nothing else.
  expect(next.replaceAll("98.76.54", manifest.version)).toBe(text);
});

test("no other file names this version", () => {
  const listed = versionPlaces.map(({ path }) => path);
  const files = projectFiles(root).filter((path) => TEXT.test(path) && !OTHERS.test(path));
  expect(files).toEqual(expect.arrayContaining(["compose.yaml", "sdk/package.json"]));
  const named = files.filter((path) => versionsIn(textOf(path), VERSION_MENTION).includes(manifest.version));
  expect(named.filter((path) => !listed.includes(path))).toEqual([]);
  expect(named).toEqual(expect.arrayContaining(["package.json", "sdk/package.json", "compose.yaml"]));
});
