export const STEPS = ["major", "minor", "patch"] as const;
export type Step = (typeof STEPS)[number];

const VERSION = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?$/;

const numbersOf = (version: string): readonly [number, number, number] => {
  const [, major, minor, patch] = VERSION.exec(version) ?? [];
  return [Number(major), Number(minor), Number(patch)];
};

const isStep = (word: string): word is Step => (STEPS as readonly string[]).includes(word);

/** What an operator asked for: a version, or by which step to go on from the current one. */
export function nextVersion(current: string, wanted: string): string {
  if (isStep(wanted)) {
    const [major, minor, patch] = numbersOf(current);
    if (wanted === "major") return `${major + 1}.0.0`;
    return wanted === "minor" ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`;
  }
  const version = wanted.replace(/^v/, "");
  if (!VERSION.test(version)) throw new Error(`"${wanted}" is not a version such as 1.2.3, nor ${STEPS.join(", ")}`);
  if (!isAfter(version, current)) throw new Error(`${version} isn't newer than the current version, ${current}`);
  return version;
}

/** By the changelog: whatever is new or changed makes it a minor version. */
export const stepFor = (notes: string): Step => (/^### (?!Fixed|Security)/m.test(notes) ? "minor" : "patch");

function isAfter(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)];
  const place = a.findIndex((number, index) => number !== b[index]);
  if (place >= 0) return (a[place] ?? 0) > (b[place] ?? 0);
  return other.includes("-") && (!version.includes("-") || version > other);
}
