import { z } from "zod";
import type { Config } from "#config/settings.ts";
import type { Signals } from "#engines/coordination/signals.ts";
import { toTimestamp } from "#kernel/clock.ts";
import { version } from "../../package.json";
import { readNodeName } from "./node-name.ts";

/** What a running node says about itself. */
export interface NodeFacts {
  readonly name: string;
  readonly version: string;
  readonly roles: readonly string[];
  readonly started_at: string;
}

const QUESTION = "roll call";
const ANSWER = "present";

/** For the process that calls it. */
export const describeNode = (config: Config): NodeFacts => ({
  name: readNodeName(config),
  version,
  roles: config.roles,
  started_at: toTimestamp(Math.round(Date.now() - performance.now())),
});

/** Tells other nodes about this one whenever they ask. */
export function answerRollCalls(signals: Signals, config: Config): void {
  const facts = JSON.stringify(describeNode(config));
  signals.subscribe(QUESTION, { onSignal: () => signals.publish(ANSWER, facts) });
}

/** The other nodes that answer within this time. Nothing is stored, so one that is gone isn't listed. */
export async function callTheRoll(signals: Signals, waitMs: number): Promise<NodeFacts[]> {
  const found = new Map<string, NodeFacts>();
  const ask = (): void => signals.publish(QUESTION, "");
  const unsubscribe = signals.subscribe(ANSWER, {
    onSignal(text) {
      const facts = readFacts(text);
      // By its start as well: names should be unique, and if they aren't, that must be seen.
      if (facts) found.set(`${facts.name} ${facts.started_at}`, facts);
    },
    onResumed: ask,
  });
  // Someone else in this process may have subscribed before.
  ask();
  await Bun.sleep(waitMs);
  unsubscribe();
  return [...found.values()];
}

const nodeFacts = z.object({
  name: z.string(),
  version: z.string(),
  roles: z.array(z.string()),
  started_at: z.string(),
});

/** Others may use the same server, so a message may be anything. */
function readFacts(text: string): NodeFacts | undefined {
  try {
    return nodeFacts.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
