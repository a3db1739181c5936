/** Whoever ships code under these has to name its authors and their terms, and nothing else. */
export const allowedLicences: readonly string[] = [
  "0BSD",
  "Apache-2.0",
  "BSD-2-Clause",
  "BSD-3-Clause",
  "BlueOak-1.0.0",
  "CC0-1.0",
  "ISC",
  "MIT",
  "MIT-0",
  "OFL-1.1",
  "Unlicense",
  "Zlib",
];

/** Whether we may ship something with this SPDX expression: of several alternatives one is enough. */
export function isAllowed(expression: string | undefined): boolean {
  if (expression === undefined) return false;
  const words = expression.match(/\(|\)|[^\s()]+/g) ?? [];
  let place = 0;
  const readOne = (): boolean => {
    const word = words[place++];
    if (word !== "(") return word !== undefined && allowedLicences.includes(word);
    const inside = readAlternatives();
    return words[place++] === ")" && inside;
  };
  const readAll = (): boolean => {
    let result = readOne();
    while (words[place] === "AND") {
      place += 1;
      result = readOne() && result;
    }
    return result;
  };
  const readAlternatives = (): boolean => {
    let result = readAll();
    while (words[place] === "OR") {
      place += 1;
      result = readAll() || result;
    }
    return result;
  };
  const result = readAlternatives();
  // Anything else, such as "SEE LICENSE IN", is for a person to read.
  return result && place === words.length;
}
