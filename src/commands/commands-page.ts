import type { Command } from "./command.ts";
import { listedCommands } from "./command-list.ts";
import { argumentsOf, usageOf } from "./help.ts";

const INTRODUCTION = `# Commands

Operations that belong to whoever runs the service. Run them where the service is installed, with the same environment
variables, as \`npm run -s kurz -- COMMAND\`; below, \`kurz\` stands for that. They work beside a running server, which
then carries them out, and without one; only \`restore\` wants it stopped.

Every command takes \`--json\`, which prints its result as JSON, and \`--help\`. The exit code is 0 when it worked, 1 when
it failed and 2 when the arguments are wrong; what went wrong is on standard error.

A first account and a token for its API:

\`\`\`sh
account=$(printf '%s' "$PASSWORD" | npm run -s kurz -- accounts create --email ada@example.com --name Acme)
npm run -s kurz -- tokens create --account "$account" --name CI --scopes links:read,links:write
\`\`\`
`;

/** The page of the docs that describes every command. */
export const commandsMarkdown = (): string => [INTRODUCTION, ...listedCommands.map(section)].join("\n");

function section(command: Command): string {
  const rows = argumentsOf(command).map(
    ({ label, help, required }) => `| \`${label}\` | ${required ? "yes" : "no"} | ${escapeCell(help)} |`,
  );
  const table = rows.length === 0 ? [] : ["", "| argument | required | |", "|---|---|---|", ...rows];
  const notes = command.notes === "" ? [] : ["", command.notes];
  return [
    `## ${command.name}`,
    "",
    `${command.summary}.`,
    ...notes,
    "",
    "```",
    usageOf(command),
    "```",
    ...table,
    "",
  ].join("\n");
}

const escapeCell = (text: string): string => text.replaceAll("|", "\\|");
