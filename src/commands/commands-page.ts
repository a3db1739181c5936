import type { Command } from "./command.ts";
import { listedCommands } from "./command-list.ts";
import { argumentsOf, usageOf } from "./help.ts";

const INTRODUCTION = `# Commands

Commands for the person who runs the service. They work with a running server, which then carries them out, and without
one; only \`restore\` requires the server to be stopped.

How to call \`kurz\` depends on how you run the service; this page and the others write \`kurz\` for all of these:

| | |
|---|---|
| in a clone | \`npm run -s kurz -- COMMAND\`, or \`bin/kurz COMMAND\` |
| with [the one-file program](one-file.md) | \`./kurz COMMAND\` |
| with [Docker](containers.md) | \`docker compose exec kurz kurz COMMAND\` |
| [deployed](deployment.md#commands) as described | \`kurz COMMAND\` |

Run them as the server's user and with the same [settings](configuration.md). Above all, \`KURZ_DATA_DIR\` (by default
\`data\` in the current directory) must be the server's data directory: at a terminal and in every error, a command names
the one it uses, and only \`restore\` creates one.

\`serve\` runs the server, \`demo\` a [demo](demo.md), both until they are stopped.

Every other command supports \`--json\`, which prints the result as JSON, and \`--help\`; \`kurz --version\` prints the
version, and \`kurz --licences\` the licences of everything in it. The exit code is 0 for success,
1 for failure and 2 for wrong arguments; error messages are printed on standard error.

To create a first account and an API token:

\`\`\`sh
ACCOUNT=$(printf '%s' "$PASSWORD" | kurz accounts create --email ada@example.com --name Acme)
kurz tokens create --account "$ACCOUNT" --name CI --scopes links:read,links:write
\`\`\`
`;

/** `docs/commands.md`, generated from the commands themselves. */
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
