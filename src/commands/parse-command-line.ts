import { parseArgs } from "node:util";
import { asksForHelp, explainRefusal } from "#shared/command-words.ts";
import { findNearest } from "#shared/nearest-word.ts";
import { version } from "../../package.json";
import { type Command, type RawInput, readInput } from "./command.ts";
import { findCommand, groups, listedCommands, servers } from "./command-list.ts";
import { helpText, isGroup } from "./help.ts";
import { licencesText } from "./licences.ts";
import { UsageError } from "./usage-error.ts";
import { findUserCommand } from "./user-commands.ts";

export type CommandLine =
  /** Text to print that needs no data, such as help. */
  | { readonly kind: "text"; readonly text: string }
  | { readonly kind: "command"; readonly command: Command; readonly raw: RawInput; readonly json: boolean };

/** Parses the words after the program name, or throws a one-line `UsageError`. */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const words = argv[0] === "help" ? argv.slice(1) : argv;
  if (isVersionQuestion(words)) return { kind: "text", text: `kurz ${version}` };
  if (words[0] === "--licences" && words.length === 1) return { kind: "text", text: licencesText() };
  const topic = findTopic(words);
  if (asksForHelp(argv) || (topic === null && words.length === 0)) return { kind: "text", text: helpText(topic) };
  if (topic === null) throw new UsageError(`a command must come before ${JSON.stringify(words[0])}; see kurz --help`);
  if (isServer(topic)) throw new UsageError(`${topic} takes no arguments; see kurz ${topic} --help`);
  if (typeof topic === "string") throw new UsageError(`${topic} needs a command; see kurz ${topic} --help`);
  return readArguments(topic, words.slice(topic.name.split(" ").length));
}

const isVersionQuestion = ([first = "", ...rest]: readonly string[]): boolean =>
  ["--version", "-v", "-V", "version"].includes(first) && rest.length === 0;

/** The command or group that the line starts with; `null` if it starts with an option or is empty. */
function findTopic(words: readonly string[]): Command | string | null {
  const end = words.findIndex((word) => word.startsWith("-"));
  const [first, second] = end < 0 ? words : words.slice(0, end);
  if (first === undefined) return null;
  const pair = second === undefined ? first : `${first} ${second}`;
  const found = findCommand(pair) ?? findCommand(first);
  if (found) return found;
  if (isServer(first) || (isGroup(first) && second === undefined)) return first;
  throw unknownCommand(first, pair);
}

const isServer = (topic: Command | string): boolean => servers.some(({ name }) => name === topic);

function unknownCommand(first: string, pair: string): UsageError {
  const ofUsers = findUserCommand(first, pair);
  if (ofUsers !== undefined) {
    return new UsageError(
      `"${ofUsers}" is a command for users of an instance; how they install theirs is in docs/cli.md`,
    );
  }
  const names = [...servers, ...listedCommands].map(({ name }) => name).concat(groups);
  const near = findNearest(pair, names) ?? findNearest(first, names);
  const typed = JSON.stringify(isGroup(first) ? pair : first);
  return new UsageError(`unknown command ${typed}${near ? `; did you mean "${near}"?` : "; see kurz --help"}`);
}

function readArguments(command: Command, args: readonly string[]): CommandLine {
  const options = {
    json: { type: "boolean" },
    ...Object.fromEntries(
      Object.entries(command.options)
        .filter(([, { asked }]) => !asked)
        .map(([key, { value }]) => [key, { type: value === null ? "boolean" : "string" } as const]),
    ),
  } as const;
  const { values, positionals } = parseStrictly(command, args, options);
  const names = Object.keys(command.positionals);
  if (positionals.length > names.length) {
    throw new UsageError(`unexpected argument ${JSON.stringify(positionals[names.length])}; see ${helpOf(command)}`);
  }
  const { json, ...rest } = values;
  const raw = { ...Object.fromEntries(positionals.map((text, place) => [names[place], text])), ...rest } as RawInput;
  readInput(command, raw);
  return { kind: "command", command, raw, json: json === true };
}

type ArgumentTypes = Readonly<Record<string, { readonly type: "boolean" | "string" }>>;

function parseStrictly(command: Command, args: readonly string[], options: ArgumentTypes) {
  try {
    const parsed = parseArgs({ args: [...args], options, strict: true, allowPositionals: true, tokens: true });
    const given = parsed.tokens.flatMap((token) => (token.kind === "option" ? [token.name] : []));
    const twice = given.find((name, place) => given.indexOf(name) < place);
    if (twice !== undefined) throw new UsageError(`--${twice} is given twice`);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
    throw new UsageError(explainRefusal(command.name, tokens, options));
  }
}

const helpOf = ({ name }: Command): string => `kurz ${name} --help`;
