import type { DataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import type { Services } from "#runtime/services.ts";
import type { Option } from "./option.ts";
import { UsageError } from "./usage-error.ts";

/** What a command runs with: in the server that has the data, or in a process of its own. */
export interface CommandContext {
  readonly config: Config;
  readonly paths: DataPaths;
  /** Whether this is the server, which ingests the journal itself. */
  readonly isServer: boolean;
  /** Aborts long work early, because the operator has disconnected or the server stops. */
  readonly signal: AbortSignal;
  /** Shows the operator the progress of long work. */
  progress(text: string): void;
  /** Every use case. Without a server they are opened on first use, after migrating the schema. */
  services(): Promise<Services>;
}

/** The services can't be used at the moment; the message says why. */
export class ServicesUnavailable extends Error {}

/** What a command runs with in the operator's process, if it accesses the data itself. */
export interface LocalContext {
  readonly config: Config;
  readonly paths: DataPaths;
  /** The configuration as it would be with other settings. */
  configWith(settings: Readonly<Record<string, string>>): Config;
  /** Prints a line on standard error. */
  say(text: string): Promise<void>;
  /** Shows the operator the progress of long work. */
  progress(text: string): void;
}

/** Values as they were typed, by option name; `true` for a flag. They are sent to a running server like this. */
export type RawInput = Readonly<Record<string, string | true>>;

/** What a command can use in the operator's process before it runs. */
export interface Prompts {
  invoke(command: Command, raw: RawInput): Promise<unknown>;
  readPassword(prompt: string): Promise<string>;
  /** A variable of the environment, if it is set. */
  setting(name: string): string | undefined;
}

type Options = Readonly<Record<string, Option<unknown>>>;
type InputOf<O> = { readonly [K in keyof O]: O[K] extends Option<infer T> ? T : never };

export interface Command {
  /** One word, or two with the group first, as in `tokens create`. */
  readonly name: string;
  readonly summary: string;
  /** Details for the command's own help. */
  readonly notes: string;
  /** Works, but is not listed. */
  readonly hidden: boolean;
  /** Runs without services if neither the server nor the data can be used. */
  readonly diagnoses: boolean;
  readonly positionals: Options;
  readonly options: Options;
  ask(raw: RawInput, prompts: Prompts): Promise<RawInput>;
  run(context: CommandContext, raw: RawInput): Promise<unknown>;
  /** For a command that accesses the data itself, in the operator's process; it can't `run` in the server. */
  readonly runLocally: ((context: LocalContext, raw: RawInput) => Promise<unknown>) | null;
  /** `program` is how the operator runs Kurz, for what to run next; see `commandFor`. */
  print(result: unknown, program: string): string;
  /** What the operator should know beside the result; printed on standard error. */
  notice(result: unknown, program: string): string | null;
  exitCode(result: unknown): number;
}

interface Description<P extends Options, O extends Options, R> {
  readonly name: string;
  readonly summary: string;
  readonly notes?: string;
  readonly hidden?: true;
  readonly diagnoses?: true;
  readonly positionals?: P;
  readonly options?: O;
  /** Adds values that must not be in the arguments, where other users can see them. */
  readonly ask?: Command["ask"];
  readonly print: (result: R, program: string) => string;
  readonly notice?: (result: R, program: string) => string | null;
  readonly exitCode?: (result: R) => number;
}

interface Definition<P extends Options, O extends Options, R> extends Description<P, O, R> {
  /** The result is plain data, because it may cross a socket. */
  readonly run: (context: CommandContext, input: InputOf<P> & InputOf<O>) => R | Promise<R>;
}

interface LocalDefinition<P extends Options, O extends Options, R> extends Description<P, O, R> {
  readonly run: (context: LocalContext, input: InputOf<P> & InputOf<O>) => R | Promise<R>;
}

// biome-ignore lint/complexity/noBannedTypes: a command without options has an input without keys
export function command<R, P extends Options = {}, O extends Options = {}>(definition: Definition<P, O, R>): Command {
  const described = describe(definition);
  return {
    ...described,
    run: async (context, raw) => definition.run(context, readInput(described, raw) as never),
    runLocally: null,
  };
}

// biome-ignore lint/complexity/noBannedTypes: the same
export function localCommand<R, P extends Options = {}, O extends Options = {}>(
  definition: LocalDefinition<P, O, R>,
): Command {
  const described = describe(definition);
  return {
    ...described,
    run: async () => {
      throw new UsageError(`${described.name} can't run in the server`);
    },
    runLocally: async (context, raw) => definition.run(context, readInput(described, raw) as never),
  };
}

function describe<P extends Options, O extends Options, R>(
  definition: Description<P, O, R>,
): Omit<Command, "run" | "runLocally"> {
  const { name, summary, notes = "", hidden = false, diagnoses = false, ask = async (raw) => raw } = definition;
  const positionals: Options = definition.positionals ?? {};
  const options: Options = definition.options ?? {};
  return {
    name,
    summary,
    notes,
    hidden,
    diagnoses,
    positionals,
    options,
    ask,
    // The result of `run`, at most once through JSON and back, which does not change plain data.
    print: (result, program) => definition.print(result as R, program),
    notice: (result, program) => definition.notice?.(result as R, program) ?? null,
    exitCode: (result) => definition.exitCode?.(result as R) ?? 0,
  };
}

/** Checks every value. Runs on both sides of the socket: early for the operator, and again before anything is done. */
export function readInput(
  { name, positionals, options }: Pick<Command, "name" | "positionals" | "options">,
  raw: RawInput,
): Readonly<Record<string, unknown>> {
  const known = { ...positionals, ...options };
  const unknown = Object.keys(raw).find((key) => !Object.hasOwn(known, key));
  if (unknown !== undefined) throw new UsageError(`${name} has no input "${unknown}"`);
  const label = (key: string): string => labelOf(key, known[key], Object.hasOwn(positionals, key));
  const missing = Object.keys(known).filter((key) => known[key]?.required && raw[key] === undefined);
  if (missing.length > 0) throw new UsageError(`${name} needs ${joinWords(missing.map(label))}`);
  return Object.fromEntries(
    Object.entries(known).map(([key, option]) => [key, option.read(raw[key], label(key).split(" ")[0] ?? key)]),
  );
}

/** How an argument is written: `--account ID`, `--repair`, or `TOKEN_ID` for a positional. */
export function labelOf(key: string, option: Option<unknown> | undefined, positional: boolean): string {
  if (positional) return option?.value ?? key;
  return option?.value == null ? `--${key}` : `--${key} ${option.value}`;
}

const joinWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;
