import { expect, test } from "bun:test";
import { gate } from "./gate.ts";

test("never more than allowed run at a time, and all run in the end", async () => {
  const turn = gate(4);
  let running = 0;
  let most = 0;
  const work = async (): Promise<void> => {
    running += 1;
    most = Math.max(most, running);
    await Bun.sleep(1);
    running -= 1;
  };
  await Promise.all(Array.from({ length: 50 }, () => turn(work)));
  expect([most, running]).toEqual([4, 0]);
});

test("one that fails makes room like one that succeeds", async () => {
  const turn = gate(1);
  const failed = turn(async () => {
    throw new Error("no");
  });
  const next = turn(async () => "yes");
  await expect(failed).rejects.toThrow("no");
  expect(await next).toBe("yes");
});

test("whoever finds the line full is refused at once, and nobody in it", async () => {
  const turn = gate(1, { most: 2, refusal: () => new Error("full") });
  const first = Promise.withResolvers<string>();
  const taken = [turn(() => first.promise), turn(async () => "second"), turn(async () => "third")];
  await expect(turn(async () => "fourth")).rejects.toThrow("full");
  first.resolve("first");
  expect(await Promise.all(taken)).toEqual(["first", "second", "third"]);
  expect(await turn(async () => "fifth")).toBe("fifth");
});
