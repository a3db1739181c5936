import { reasonOf } from "#kernel/error-text.ts";
import { type CommandContext, ServicesUnavailable } from "../command.ts";
import { activeLinks } from "./active-links.ts";
import { baseUrl } from "./base-url.ts";
import { type Check, type Finding, problem, warning } from "./check.ts";
import { clicks } from "./clicks.ts";
import { coordination } from "./coordination.ts";
import { dataDirectory } from "./data-directory.ts";
import { journal, journalFiles, lostClicks } from "./journal.ts";
import { kernelSettings } from "./kernel-settings.ts";
import { blockFile, geoFile, plansFile } from "./operator-files.ts";
import { recordsIntegrity } from "./records-integrity.ts";
import { recordsServer } from "./records-server.ts";
import { roles } from "./roles.ts";
import { hasUsableSchema, schemaVersion } from "./schema-version.ts";
import { secretKey } from "./secret-key.ts";
import { serverProcesses } from "./server-processes.ts";
import { provider, ssoAccounts } from "./single-sign-on.ts";
import { unknownProxy } from "./unknown-proxy.ts";

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
  provider,
  schemaVersion,
  recordsServer,
  recordsIntegrity,
  activeLinks,
  ssoAccounts,
  clicks,
  coordination,
  roles,
  journal,
  journalFiles,
  lostClicks,
];

/** Makes every check, and says what each has found. */
export async function runChecks(context: CommandContext, options: { readonly repair: boolean }) {
  const findings: NamedFinding[] = [];
  for (const check of checks) {
    for (const finding of await examine(check, context, options)) findings.push({ check: check.name, ...finding });
  }
  return { healthy: !findings.some(({ level }) => level === "problem"), findings };
}

async function examine(
  check: Check,
  context: CommandContext,
  options: { readonly repair: boolean },
): Promise<Finding[]> {
  try {
    if (check.needsRecords && !(await hasUsableSchema(context.config))) return [];
    return await check.run(context, options);
  } catch (error) {
    if (error instanceof ServicesUnavailable) return [warning(`not checked: ${error.message}`)];
    return [problem(`can't be checked: ${reasonOf(error)}`)];
  }
}
