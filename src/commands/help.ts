import { isOneFile } from "#kernel/shipped-files.ts";
import { type Command, labelOf } from "./command.ts";
import { groups, listedCommands, servers } from "./command-list.ts";
import { formatTable } from "./table.ts";

const SHARED_OPTIONS = [
  ["--json", "Print the result as JSON."],
  ["-h, --help", "Show this help."],
] as const;

const DATA_NOTE =
  "Commands work on the data directory in KURZ_DATA_DIR, by default ./data in the current directory. " +
  `Settings are environment variables${isOneFile ? "" : ", or lines of a .env file beside package.json"}.`;

interface Argument {
  readonly label: string;
  readonly help: string;
}

export const usageOf = (command: Command): string =>
  ["kurz", command.name, ...argumentsOf(command).map(({ label, required }) => (required ? label : `[${label}]`))].join(
    " ",
  );

/** The help for the whole program, a group, or one command. */
export function helpText(topic: Command | string | null): string {
  const server = servers.find(({ name }) => name === topic);
  if (server) return paragraphs(`Usage: kurz ${server.name}`, `${server.summary}.`, server.notes);
  if (topic !== null && typeof topic !== "string") return commandHelp(topic);
  const listed = [...(topic === null ? servers : []), ...listedCommands.filter(({ name }) => isIn(topic, name))];
  return paragraphs(
    `Usage: kurz ${topic === null ? "COMMAND" : `${topic} COMMAND`} [OPTIONS]`,
    `Commands:\n${indentTable(listed.map(({ name, summary }) => [name, summary]))}`,
    "Every command except serve and demo supports --json. Every command has its own --help. kurz --version prints the version, kurz --licences the licences of everything in it.",
    DATA_NOTE,
  );
}

export const isGroup = (word: string): boolean => groups.includes(word);

/** The arguments of a command in the order of its usage line, without what it prompts for. */
export function argumentsOf(command: Command): (Argument & { readonly required: boolean })[] {
  const describe = (positional: boolean) => {
    const entries = Object.entries(positional ? command.positionals : command.options);
    return entries
      .filter(([, { asked }]) => !asked)
      .map(([key, option]) => ({
        label: labelOf(key, option, positional),
        help: option.fallback === null ? option.help : `${option.help} Default: ${option.fallback}.`,
        required: option.required,
      }));
  };
  return [...describe(true), ...describe(false)];
}

function commandHelp(command: Command): string {
  const rows = argumentsOf(command).map(({ label, help, required }) => [label, required ? `${help} Required.` : help]);
  return paragraphs(
    `Usage: ${usageOf(command)}`,
    `${command.summary}.`,
    command.notes,
    `Options:\n${indentTable([...rows, ...SHARED_OPTIONS])}`,
    DATA_NOTE,
  );
}

const isIn = (group: string | null, name: string): boolean => group === null || name.startsWith(`${group} `);

const paragraphs = (...texts: readonly string[]): string => texts.filter((text) => text !== "").join("\n\n");

const indentTable = (rows: readonly (readonly string[])[]): string =>
  formatTable(rows[0] ?? [], rows.slice(1)).replace(/^/gm, "  ");
