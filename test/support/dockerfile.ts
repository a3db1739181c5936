import { readFileSync } from "node:fs";
import { join } from "node:path";

const DOCKERFILE = join(import.meta.dir, "..", "..", "Dockerfile");

/** Each instruction of the Dockerfile with everything after its name. */
const instructions = readFileSync(DOCKERFILE, "utf8")
  .replaceAll(/^ *#.*\n/gm, "")
  .replaceAll(/ *\\\n */g, " ")
  .matchAll(/^([A-Z]+) (.*)$/gm)
  .map(([, name = "", rest = ""]) => ({ name, rest }))
  .toArray();

export const instructionsOf = (wanted: string): string[] =>
  instructions.flatMap(({ name, rest }) => (name === wanted ? rest : []));

/** Where the image has its data. */
export const imageVolume = (): string => JSON.parse(instructionsOf("VOLUME")[0] ?? "[]")[0];

/** User and group. */
export const imageUser = (): number[] => instructionsOf("USER").flatMap((user) => user.split(":").map(Number));

export const imageSettings = (): Record<string, string> =>
  Object.fromEntries(
    instructionsOf("ENV").flatMap((line) => line.split(" ").map((one) => one.split("=") as [string, string])),
  );
