import type { Command } from "./command.ts";
import { listedCommands } from "./command-list.ts";
import { argumentsOf, usageOf } from "./help.ts";

const INTRODUCTION = `# Commands

Operations for the person who runs the service. They work beside a running server, which then carries them out, and
without one; only \`restore\` needs it stopped.

Run them as \`kurz COMMAND\`: with the [deployment](deployment.md#commands) set up as described, \`kurz\` is in your
\`PATH\`; in a checkout it is \`npx kurz\` or \`npm run -s kurz --\`. They need the same environment variables as the
server and its user. Above all, \`KURZ_DATA_DIR\` (by default \`data\` in the current directory) must be the server's data
directory: at a terminal and in every error a command names the one it uses, and none but \`restore\` creates one.

Every command takes \`--json\`, which prints its result as JSON, and \`--help\`; \`kurz --version\` prints the version. The
exit code is 0 when it worked, 1 when it failed and 2 when the arguments are wrong; what went wrong is on standard error.

A first account and a token for its API:

\`\`\`sh
ACCOUNT=$(printf '%s' "$PASSWORD" | kurz accounts create --email ada@example.com --name Acme)
kurz tokens create --account "$ACCOUNT" --name CI --scopes links:read,links:write
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
