import { join } from "node:path";

const thisRelease = join(import.meta.dir, "..", "..");

/**
 * The command that runs Kurz: this clone's by default, that of another release, or another form of this one, such as the
 * one-file program, if `KURZ_TEST_COMMAND` is its path.
 */
export function kurzProgram(release = thisRelease): readonly string[] {
  const other = process.env.KURZ_TEST_COMMAND;
  if (other && release === thisRelease) return [other];
  return [process.execPath, join(release, "src", "main.ts")];
}
