import { type ConsoleOperation, consoleOperations } from "#contract/console/operations.ts";

const INTRODUCTION = `# Console operations

The operations the console calls on the server, and which of them need re-authentication: the password (with a code, for
users of an authenticator app), a passkey or single sign-on, within the last ten minutes. Without it the server returns 403
\`sudo_required\`; the page then asks for it and continues. This page is generated from the code, which requires the
decision for every operation, and a test calls each of them.

These operations serve the console's own pages and may change with any release; programs use the [API](openapi.json).
`;

/** The docs page that lists which operations need re-authentication, and why. */
export function operationsPage(): string {
  const [sensitive, others] = [true, false].map((is) => consoleOperations.filter(({ sudo }) => sudo.required === is));
  return [
    INTRODUCTION,
    "## With re-authentication\n",
    tableOf(sensitive ?? []),
    "\n## Without re-authentication\n",
    tableOf(others ?? []),
    "",
  ].join("\n");
}

const tableOf = (operations: readonly ConsoleOperation[]): string =>
  ["| operation | | why |", "|---|---|---|", ...operations.map(rowOf).toSorted()].join("\n");

const rowOf = ({ id, summary, sudo }: ConsoleOperation): string => `| \`${id}\` | ${summary} | ${sudo.why} |`;
