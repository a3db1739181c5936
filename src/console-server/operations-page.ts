import { type ConsoleOperation, consoleOperations } from "#contract/console/operations.ts";

const INTRODUCTION = `# Operations of the console

What the console can ask the server for, and which of it needs re-authentication: the password or a passkey, given within
the last ten minutes. Without it the answer is 403 \`sudo_required\`, and the page asks for it and then goes on. This page
is generated from the code, which has no operation without such a decision, and a test asks each of them.

These operations serve the console's own pages and may change with any release; programs use the [API](openapi.json).
`;

/** The page of the docs that says which operations need re-authentication, and why. */
export function operationsPage(): string {
  const [asking, sparing] = [true, false].map((is) => consoleOperations.filter(({ sudo }) => sudo.required === is));
  return [
    INTRODUCTION,
    "## With re-authentication\n",
    tableOf(asking ?? []),
    "\n## Without\n",
    tableOf(sparing ?? []),
    "",
  ].join("\n");
}

const tableOf = (operations: readonly ConsoleOperation[]): string =>
  ["| operation | | why |", "|---|---|---|", ...operations.map(rowOf).toSorted()].join("\n");

const rowOf = ({ id, summary, sudo }: ConsoleOperation): string => `| \`${id}\` | ${summary} | ${sudo.why} |`;
