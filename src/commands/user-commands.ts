/** Commands of the users' command line in `cli/`, which has the same name but runs on their own machines. */
const USER_COMMANDS: ReadonlySet<string> = new Set([
  ...["login", "logout", "whoami", "profiles list", "profiles use", "shorten", "stats", "qr", "completion"],
  ...["list", "show", "update", "pause", "resume", "archive", "unarchive", "restore", "delete"].map(
    (verb) => `links ${verb}`,
  ),
]);

export const userCommands: readonly string[] = [...USER_COMMANDS];

/** The command of theirs that these words start with. */
export const findUserCommand = (first: string, pair: string): string | undefined =>
  [pair, first].find((words) => USER_COMMANDS.has(words));
