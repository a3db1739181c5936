/** The command line that starts this program with another command. */
export const ownCommand = (word: string): readonly string[] => [process.execPath, ...process.execArgv, Bun.main, word];
