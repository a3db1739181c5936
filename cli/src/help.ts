import { type Command, type Option, type Positional, sharedOptions } from "./command.ts";
import { padEnd, widthOf } from "./text-width.ts";

const INTRODUCTION = "Short links from the command line, on a Kurz instance of your choice. Start with: kurz login";

/** The help of the whole program, a group, or one command. */
export function helpText(topic: Command | string | null, commands: readonly Command[]): string {
  if (topic !== null && typeof topic !== "string") return commandHelp(topic);
  const listed = commands.filter(({ name, hidden }) => !hidden && (topic === null || name.startsWith(`${topic} `)));
  return paragraphs(
    `Usage: kurz ${topic === null ? "COMMAND" : `${topic} COMMAND`} [OPTIONS]`,
    topic === null ? INTRODUCTION : "",
    `Commands:\n${indentTable(listed.map(({ name, summary }) => [name, summary]))}`,
    "Every command has --json, --profile NAME and its own --help. kurz --version prints the version.",
  );
}

function commandHelp(command: Command): string {
  const { positionals = [], options = {}, notes = "" } = command;
  const rows = [
    ...positionals.map((positional): [string, string] => [labelOf(positional), positional.help]),
    ...Object.entries({ ...options, ...sharedOptions }).map(([name, option]): [string, string] => [
      name === "help" ? "-h, --help" : optionLabel(name, option),
      describe(option),
    ]),
  ];
  return paragraphs(`Usage: ${usageOf(command)}`, `${command.summary}.`, notes, `Options:\n${indentTable(rows)}`);
}

export const usageOf = ({ name, positionals = [], options = {} }: Command): string =>
  [
    "kurz",
    name,
    ...positionals.map((one) => (one.optional ? `[${labelOf(one)}]` : labelOf(one))),
    ...(Object.keys(options).length > 0 ? ["[OPTIONS]"] : []),
  ].join(" ");

const labelOf = ({ label, many }: Positional): string => (many ? `${label}...` : label);

export const optionLabel = (name: string, { value }: Option): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

function describe({ help, choices, many }: Option): string {
  const more = [choices && `One of ${choices.join(", ")}.`, many && "Can be repeated."];
  return [help, ...more].filter((text) => typeof text === "string").join(" ");
}

const paragraphs = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n\n");

function indentTable(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([name]) => widthOf(name)));
  return rows.map(([name, text]) => `  ${padEnd(name, width)}  ${text}`).join("\n");
}
