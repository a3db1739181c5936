import { isOneFile } from "#kernel/shipped-files.ts";

/**
 * The file that this process runs, even after an upgrade has put another one in its place: processes of two releases
 * must not serve together.
 */
const RUNNING_FILE = "/proc/self/exe";

/**
 * The command line that starts this program with another command. Its process inherits the settings of this one: read
 * again, an edited .env would give one child settings that the others don't have, or keep it from starting.
 */
export const ownCommand = (word: string): readonly string[] => commandWith(RUNNING_FILE, word);

/** The same for another process to execute, which runs another file than this one. */
export const commandForOthers = (word: string): readonly string[] => commandWith(process.execPath, word);

const commandWith = (oneFile: string, word: string): readonly string[] =>
  isOneFile
    ? [oneFile, word]
    : [process.execPath, "--no-env-file", ...withoutEnvFiles(process.execArgv), Bun.main, word];

const withoutEnvFiles = (options: readonly string[]): readonly string[] =>
  options.filter((option, index) => !/^--(?:no-)?env-file/.test(option) && options[index - 1] !== "--env-file");
