import { enginePlaces } from "#config/engine-places.ts";
import { inspectRecordsServer } from "#engines/open-engines.ts";
import { type CopyFacts, FOREIGN_COPY, type RecordsServerFacts } from "#engines/records/records-server-facts.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { type Check, type Finding, ok, problem, warning } from "./check.ts";

// A new link takes several answers.
const LATENCY_MS_MAX = 20;
// Times in links, deliveries and reports are those of nodes.
const CLOCKS_MS_MAX = 2000;
const CHANGES_BEHIND_MAX = 1000;

/** The server for records, and its copy for look-ups. */
export const recordsServer: Check = {
  name: "records",
  async run({ config }) {
    try {
      const facts = await inspectRecordsServer(enginePlaces(config).records, config.redirectProcesses);
      return facts === null ? [] : judgeRecordsServer(facts);
    } catch (error) {
      return [problem(reasonOf(error))];
    }
  },
};

export function judgeRecordsServer(facts: RecordsServerFacts): Finding[] {
  const { version, latencyMs, isStandby, risks, clockAheadMs, connections, copy } = facts;
  const latency = `${latencyMs.toFixed(1)} ms`;
  const findings: Finding[] = [];
  if (isStandby)
    findings.push(problem(`${version} is a standby, which refuses changes; set DATABASE_URL to the primary`));
  for (const risk of risks) findings.push(warning(`${risk}: changes that were acknowledged may be lost in a crash`));
  if (latencyMs > LATENCY_MS_MAX) findings.push(warning(`answers take ${latency}; move it closer to the nodes`));
  if (Math.abs(clockAheadMs) > CLOCKS_MS_MAX) {
    const seconds = (Math.abs(clockAheadMs) / 1000).toFixed(1);
    findings.push(warning(`its clock differs from this node's by ${seconds} s; synchronise both (NTP)`));
  }
  if (connections !== null && connections.perNode > connections.accepted) {
    findings.push(
      warning(
        `a node may use ${connections.perNode} connections, but it accepts ${connections.accepted}; raise ` +
          "max_connections, or put a pooler in between",
      ),
    );
  }
  if (findings.length === 0) {
    const room =
      connections && `, with connections for ${Math.floor(connections.accepted / connections.perNode)} nodes`;
    findings.push(ok(`${version} answers within ${latency}${room ?? ""}`));
  }
  return copy === null ? findings : [...findings, judgeCopy(copy)];
}

function judgeCopy(copy: CopyFacts): Finding {
  if ("problem" in copy) return warning(`${copy.problem}; links are looked up in the database itself`);
  if (!copy.isSameInstallation) return problem(FOREIGN_COPY);
  if (copy.changesBehind > CHANGES_BEHIND_MAX) {
    return warning(`the replica is ${copy.changesBehind} changes behind; links are looked up in the database itself`);
  }
  return ok(`the replica is ${copy.changesBehind} changes behind`);
}
