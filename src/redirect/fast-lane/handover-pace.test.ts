import { expect, test } from "bun:test";
import { HandoverPace } from "./handover-pace.ts";

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function openPace() {
  const pace = new HandoverPace();
  const handedOver: string[] = [];
  const ask = (name: string) => {
    const paced = { onTurn: () => void handedOver.push(name) };
    if (pace.take()) paced.onTurn();
    else pace.wait(paced);
    return paced;
  };
  return { pace, handedOver, ask };
}

test("a single request doesn't wait", async () => {
  const { handedOver, ask } = openPace();
  ask("a");
  expect(handedOver).toEqual(["a"]);
  await nextTurn();
  ask("b");
  expect(handedOver).toEqual(["a", "b"]);
});

test("a burst is handed over one per iteration, in order, and later requests queue behind it", async () => {
  const { handedOver, ask } = openPace();
  for (const name of ["a", "b", "c"]) ask(name);
  expect(handedOver).toEqual(["a"]);
  await nextTurn();
  expect(handedOver).toEqual(["a", "b"]);
  ask("d");
  await nextTurn();
  await nextTurn();
  expect(handedOver).toEqual(["a", "b", "c", "d"]);
});

test("a closed connection is skipped", async () => {
  const { pace, handedOver, ask } = openPace();
  ask("a");
  pace.forget(ask("b"));
  ask("c");
  await nextTurn();
  expect(handedOver).toEqual(["a", "c"]);
});
