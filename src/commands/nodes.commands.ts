import { OperatorMistake } from "#kernel/operator-mistake.ts";
import { readNodeName } from "#runtime/node-name.ts";
import { callTheRoll, describeNode } from "#runtime/roll-call.ts";
import { command } from "./command.ts";
import { formatTable } from "./table.ts";

const WAIT_MS = 1500;

const nodesList = command({
  name: "nodes list",
  summary: "Show the running nodes of the deployment, with their versions and roles",
  notes:
    "Nodes are asked through the server of REDIS_URL and have 1.5 seconds to answer; one that doesn't run, hangs or can't reach it isn't listed. " +
    "During an upgrade this shows which nodes are still to be upgraded.",
  async run({ services, config, isServer }) {
    if (config.redisUrl === null) throw new OperatorMistake("nodes are asked through Redis: set REDIS_URL");
    const { signals } = (await services()).coordination;
    const nodes = [...(isServer ? [describeNode(config)] : []), ...(await callTheRoll(signals, WAIT_MS))];
    return { this_node: readNodeName(config), nodes: nodes.toSorted((a, b) => a.name.localeCompare(b.name)) };
  },
  print: ({ nodes, this_node }) =>
    nodes.length === 0
      ? "No node answers."
      : formatTable(
          ["NODE", "VERSION", "ROLES", "STARTED", ""],
          nodes.map(({ name, version, roles, started_at }) => [
            name,
            version,
            roles.join(),
            started_at,
            name === this_node ? "this node" : "",
          ]),
        ),
});

export const nodeCommands = [nodesList];
