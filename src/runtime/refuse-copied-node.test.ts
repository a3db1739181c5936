import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "#config/load-config.ts";
import type { SignalHandlers, Signals } from "#engines/coordination/signals.ts";
import { readNodeName } from "./node-name.ts";
import { findNamesake } from "./refuse-copied-node.ts";
import { answerRollCalls, callTheRoll } from "./roll-call.ts";

const WAIT_MS = 5;
const root = mkdtempSync(join(tmpdir(), "kurz-namesakes-"));
afterAll(() => rmSync(root, { recursive: true }));

/** A bus of several nodes in one process: what one publishes reaches all others. */
function openBus() {
  const subscriptions = new Set<{ node: number; topic: string; handlers: SignalHandlers }>();
  let nodes = 0;
  const newMember = (): Signals & { leave(): void } => {
    nodes += 1;
    const node = nodes;
    return {
      publish(topic, text) {
        for (const other of [...subscriptions]) {
          if (other.node !== node && other.topic === topic) other.handlers.onSignal(text);
        }
      },
      subscribe(topic, handlers) {
        const subscription = { node, topic, handlers };
        subscriptions.add(subscription);
        return () => subscriptions.delete(subscription);
      },
      leave() {
        for (const each of [...subscriptions]) if (each.node === node) subscriptions.delete(each);
      },
    };
  };
  return { newMember };
}

const newNode = () =>
  loadConfig({
    KURZ_DATA_DIR: mkdtempSync(join(root, "node-")),
    DATABASE_URL: "postgres://kurz@127.0.0.1/kurz",
    KURZ_SECRET_KEY: "k".repeat(40),
  });

test("a running node with the same name is found, others aren't", async () => {
  const bus = openBus();
  const config = newNode();
  const starting = bus.newMember();
  const name = readNodeName(config);
  answerRollCalls(bus.newMember(), newNode());
  expect(await findNamesake(starting, name, WAIT_MS)).toBeUndefined();
  answerRollCalls(bus.newMember(), config);
  expect((await findNamesake(starting, name, WAIT_MS))?.name).toBe(name);
});

test("what is left of the last run may still answer when the next one starts", async () => {
  const bus = openBus();
  const config = newNode();
  const ending = bus.newMember();
  answerRollCalls(ending, config);
  const searching = findNamesake(bus.newMember(), readNodeName(config), WAIT_MS);
  ending.leave();
  expect(await searching).toBeUndefined();
});

test("two nodes of one name are both listed", async () => {
  const bus = openBus();
  const facts = { name: "node", version: "1", roles: ["redirect"] };
  for (const started_at of ["2026-01-01T00:00:00Z", "2026-01-02T00:00:00Z"]) {
    const node = bus.newMember();
    node.subscribe("roll call", {
      onSignal: () => node.publish("present", JSON.stringify({ ...facts, started_at })),
    });
  }
  expect(await callTheRoll(bus.newMember(), WAIT_MS)).toHaveLength(2);
});
