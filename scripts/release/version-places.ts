import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file that names the version of Kurz. */
export interface VersionPlace {
  readonly path: string;
  /** Finds each mention; the version is its first group. */
  readonly pattern: RegExp;
}

const MANIFEST = /^ {2}"version": "([^"]+)"/gm;
const IMAGE = /\bkurz:(\d+\.\d+\.\d+[\w.-]*)/g;
const NEW_TAG = /\bnewTag: (\d+\.\d+\.\d+[\w.-]*)/g;

/** Every file that names the version; `npm run release` sets it in all of them. Code imports it from package.json. */
export const versionPlaces: readonly VersionPlace[] = [
  { path: "package.json", pattern: MANIFEST },
  // Its own, as the first thing in the file, and once more as the root of all packages.
  { path: "package-lock.json", pattern: /(?:^\{\s+"name": "kurz",|"": \{\s+"name": "kurz",)\s+"version": "([^"]+)"/g },
  { path: "sdk/package.json", pattern: MANIFEST },
  { path: "cli/package.json", pattern: MANIFEST },
  { path: "python/pyproject.toml", pattern: /^version = "([^"]+)"/gm },
  { path: "python/src/kurz/_version.py", pattern: /^VERSION = "([^"]+)"/gm },
  { path: "compose.yaml", pattern: IMAGE },
  { path: "compose.cluster.yaml", pattern: IMAGE },
  { path: "docs/containers.md", pattern: IMAGE },
  { path: "deploy/kubernetes/base/kustomization.yaml", pattern: NEW_TAG },
  { path: "deploy/kubernetes/cluster/kustomization.yaml", pattern: NEW_TAG },
  { path: "docs/kubernetes.md", pattern: IMAGE },
];

/** What looks like the version of Kurz, in any file. */
export const VERSION_MENTION =
  /(?:\bkurz(?:-cli|-sdk)?[:@-]v?|^\s*"?version"?\s*[:=]\s*"?|\bnewTag:\s*"?|__version__\s*=\s*")(\d+\.\d+\.\d+)\b/gim;

export const versionsIn = (text: string, pattern: RegExp): readonly string[] =>
  [...text.matchAll(pattern)].map(([, version = ""]) => version);

/** The file's text with another version in it. */
export function withVersion(text: string, { path, pattern }: VersionPlace, version: string): string {
  if (versionsIn(text, pattern).length === 0) throw new Error(`${path} doesn't name the version any more`);
  return text.replace(pattern, (mention: string, old: string) => {
    const start = mention.lastIndexOf(old);
    return mention.slice(0, start) + version + mention.slice(start + old.length);
  });
}

export function setVersion(root: string, version: string): void {
  for (const place of versionPlaces) {
    const file = join(root, place.path);
    writeFileSync(file, withVersion(readFileSync(file, "utf8"), place, version));
  }
}
