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

test("a lone request does not wait", async () => {
  const { handedOver, ask } = openPace();
  ask("a");
  expect(handedOver).toEqual(["a"]);
  await nextTurn();
  ask("b");
  expect(handedOver).toEqual(["a", "b"]);
});

test("of a burst each turn hands over one, in the order they came; who comes later waits behind", async () => {
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

test("who has left is not waited for", async () => {
  const { pace, handedOver, ask } = openPace();
  ask("a");
  pace.forget(ask("b"));
  ask("c");
  await nextTurn();
  expect(handedOver).toEqual(["a", "c"]);
});
