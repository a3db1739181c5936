import { reasonOf } from "#kernel/error-text.ts";
import { type CommandContext, command, ServicesUnavailable } from "./command.ts";
import { activeLinks } from "./doctor/active-links.ts";
import { baseUrl } from "./doctor/base-url.ts";
import { type Check, type Finding, problem, warning } from "./doctor/check.ts";
import { clicks } from "./doctor/clicks.ts";
import { coordination } from "./doctor/coordination.ts";
import { dataDirectory } from "./doctor/data-directory.ts";
import { journal, journalFiles, lostClicks } from "./doctor/journal.ts";
import { kernelSettings } from "./doctor/kernel-settings.ts";
import { blockFile, geoFile, plansFile } from "./doctor/operator-files.ts";
import { recordsIntegrity } from "./doctor/records-integrity.ts";
import { recordsServer } from "./doctor/records-server.ts";
import { roles } from "./doctor/roles.ts";
import { hasUsableSchema, schemaVersion } from "./doctor/schema-version.ts";
import { secretKey } from "./doctor/secret-key.ts";
import { serverProcesses } from "./doctor/server-processes.ts";
import { unknownProxy } from "./doctor/unknown-proxy.ts";
import { flag } from "./option.ts";
import { formatTable } from "./table.ts";

interface NamedFinding extends Finding {
  readonly check: string;
}

const checks: readonly Check[] = [
  serverProcesses,
  dataDirectory,
  secretKey,
  baseUrl,
  unknownProxy,
  kernelSettings,
  plansFile,
  blockFile,
  geoFile,
  schemaVersion,
  recordsServer,
  recordsIntegrity,
  activeLinks,
  clicks,
  coordination,
  roles,
  journal,
  journalFiles,
  lostClicks,
];

export const doctor = command({
  name: "doctor",
  summary: "Check the installation and its data",
  notes:
    "It works with and without a running server; what can't be checked at the moment is listed as a warning. A problem " +
    "stops links or the API, loses data, or prevents the next start, and makes the exit code 1. Warnings alone leave it 0.",
  diagnoses: true,
  options: { repair: flag("Repair what can be repaired: the counts of active links.") },
  async run(context, options) {
    const findings: NamedFinding[] = [];
    for (const check of checks) {
      for (const finding of await examine(check, context, options)) findings.push({ check: check.name, ...finding });
    }
    return { healthy: !findings.some(({ level }) => level === "problem"), findings };
  },
  print: ({ findings }) => {
    const [first = [], ...rest] = findings.map(({ level, check, message }) => [level, check, message]);
    return formatTable(first, rest);
  },
  exitCode: ({ healthy }) => (healthy ? 0 : 1),
});

async function examine(check: Check, context: CommandContext, options: { repair: boolean }): Promise<Finding[]> {
  try {
    if (check.needsRecords && !(await hasUsableSchema(context.config))) return [];
    return await check.run(context, options);
  } catch (error) {
    if (error instanceof ServicesUnavailable) return [warning(`not checked: ${error.message}`)];
    return [problem(`can't be checked: ${reasonOf(error)}`)];
  }
}
