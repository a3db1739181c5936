/** What a script can tell from the exit code; docs/cli.md explains each. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  notFound: 3,
  notAllowed: 4,
  refused: 5,
  unreachable: 6,
  interrupted: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Something that the command itself finds wrong, with the code to exit with. */
export class CommandError extends Error {
  readonly exitCode: ExitCode;

  constructor(message: string, exitCode: ExitCode = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** The arguments are wrong, or the person said no; nothing was changed. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

/** What went wrong with one of several things. */
export interface ItemFailure {
  /** As it was typed. */
  readonly name: string;
  readonly error: unknown;
}

/** Some of several things failed. What was done with the others is shown all the same. */
export class SomeFailed extends Error {
  readonly done: unknown;
  readonly failures: readonly ItemFailure[];

  constructor(done: unknown, failures: readonly ItemFailure[]) {
    super("some failed");
    this.done = done;
    this.failures = failures;
  }
}
