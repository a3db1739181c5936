import { parseArgs } from "node:util";
import { asksForHelp, explainRefusal } from "../../shared/command-words.ts";
import { findNearest } from "../../shared/nearest-word.ts";
import { type Command, type Input, type Option, sharedOptions } from "./command.ts";
import { UsageError } from "./exit-codes.ts";

export type CommandLine =
  | { readonly kind: "version" }
  /** Of the whole program, a group or a command. */
  | { readonly kind: "help"; readonly topic: Command | string | null }
  | {
      readonly kind: "command";
      readonly command: Command;
      readonly input: Input;
      readonly profileName: string | undefined;
    };

/** The first words of two-word commands. */
export const groupsOf = (commands: readonly Command[]): readonly string[] => [
  ...new Set(commands.flatMap(({ name }) => (name.includes(" ") ? [name.split(" ")[0] ?? ""] : []))),
];

/** Parses the words after the program name, or throws a one-line `UsageError`. */
export function parseCommandLine(argv: readonly string[], commands: readonly Command[]): CommandLine {
  const words = argv[0] === "help" ? argv.slice(1) : argv;
  if (words[0] === "--version") return { kind: "version" };
  const topic = findTopic(words, commands);
  if (asksForHelp(argv) || (topic === null && words.length === 0)) return { kind: "help", topic };
  if (topic === null) throw new UsageError(`a command must come before ${JSON.stringify(words[0])}; see kurz --help`);
  if (typeof topic === "string") throw new UsageError(`${topic} needs a command; see kurz ${topic} --help`);
  return readArguments(topic, words.slice(topic.name.split(" ").length));
}

/** The command or group that the line starts with; `null` if it starts with an option or is empty. */
function findTopic(words: readonly string[], commands: readonly Command[]): Command | string | null {
  const end = words.findIndex((word) => word.startsWith("-"));
  const [first, second] = end < 0 ? words : words.slice(0, end);
  if (first === undefined) return null;
  const pair = second === undefined ? first : `${first} ${second}`;
  const found = commands.find(({ name }) => name === pair) ?? commands.find(({ name }) => name === first);
  if (found) return found;
  const groups = groupsOf(commands);
  if (groups.includes(first) && second === undefined) return first;
  const listed = commands.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const near = findNearest(pair, listed) ?? findNearest(first, [...listed, ...groups]);
  const typed = JSON.stringify(groups.includes(first) ? pair : first);
  throw new UsageError(`unknown command ${typed}; ${near ? `did you mean "${near}"?` : "see kurz --help"}`);
}

function readArguments(command: Command, args: readonly string[]): CommandLine {
  const declared = { ...sharedOptions, ...command.options };
  const types = Object.fromEntries(
    Object.entries(declared).map(([name, { value, many }]) => [
      name,
      { type: value === undefined ? ("boolean" as const) : ("string" as const), ...(many && { multiple: true }) },
    ]),
  );
  const { values, positionals } = parseStrictly(command, args, types);
  checkPositionals(command, positionals);
  checkChoices(declared, values);
  return {
    kind: "command",
    command,
    profileName: values.profile as string | undefined,
    input: {
      positionals,
      text: (name) => values[name] as string | undefined,
      texts: (name) => (values[name] as string[] | undefined) ?? [],
      flag: (name) => values[name] === true,
    },
  };
}

function checkPositionals(command: Command, given: readonly string[]): void {
  const { positionals = [] } = command;
  const missing = positionals.filter(({ optional }, at) => !optional && given[at] === undefined);
  if (missing.length > 0) {
    throw new UsageError(
      `${command.name} needs ${missing.map(({ label }) => label).join(" and ")}; see ${helpOf(command)}`,
    );
  }
  if (given.length > positionals.length && !positionals.at(-1)?.many) {
    throw new UsageError(`unexpected argument ${JSON.stringify(given[positionals.length])}; see ${helpOf(command)}`);
  }
}

function checkChoices(declared: Readonly<Record<string, Option>>, values: Readonly<Record<string, unknown>>): void {
  for (const [name, { choices }] of Object.entries(declared)) {
    const given = [values[name] ?? []].flat();
    const wrong = choices && given.find((value) => !choices.includes(String(value)));
    if (wrong !== undefined) {
      throw new UsageError(`--${name} must be one of ${choices?.join(", ")}, not ${JSON.stringify(wrong)}`);
    }
  }
}

type Types = Readonly<Record<string, { readonly type: "boolean" | "string"; readonly multiple?: boolean }>>;

function parseStrictly(command: Command, args: readonly string[], options: Types) {
  try {
    const parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: true, tokens: true });
    const given = parsed.tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
    const twice = given.find((name, place) => !options[name]?.multiple && given.indexOf(name) < place);
    if (twice !== undefined) throw new UsageError(`--${twice} is given twice`);
    return parsed as { values: Record<string, unknown>; positionals: string[] };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
    throw new UsageError(explainRefusal(command.name, tokens, options));
  }
}

const helpOf = ({ name }: Command): string => `kurz ${name} --help`;
