import { expect, test } from "bun:test";
import { LargeAnswers } from "./large-answers.ts";

const open = () => {
  let now = 0;
  const answers = new LargeAnswers<number>({ isLarge: (answer) => answer >= 100, keptMs: 1000, now: () => now });
  return {
    answers,
    ask: (answer: number, accountNo = 1, question = "q") => answers.find(accountNo, question, async () => answer),
    pass: (ms: number) => {
      now += ms;
    },
  };
};

test("a small answer is computed each time", async () => {
  const { ask } = open();
  expect([await ask(98), await ask(99), await ask(1)]).toEqual([98, 99, 1]);
});

test("a large one is kept for a while, for its account and question only", async () => {
  const { ask, pass } = open();
  expect([await ask(100), await ask(101), await ask(102, 2), await ask(103, 1, "other")]).toEqual([100, 100, 102, 103]);
  pass(999);
  expect(await ask(104)).toBe(100);
  pass(1);
  expect(await ask(105)).toBe(105);
});

test("what is forgotten is computed again, even if that happens while it is computed", async () => {
  const { answers, ask } = open();
  await ask(100);
  answers.forget(1);
  expect(await ask(101)).toBe(101);
  const late = answers.find(3, "q", async () => {
    answers.forget(3);
    return 100;
  });
  expect([await late, await ask(102, 3)]).toEqual([100, 102]);
});

test("a large one is computed once for all who ask meanwhile, a small one for each of them", async () => {
  for (const [value, computed] of [
    [100, 1],
    [99, 3],
  ] as const) {
    const { answers } = open();
    let count = 0;
    const ask = () =>
      answers.find(1, "q", async () => {
        count += 1;
        await Bun.sleep(0);
        return value;
      });
    expect([await Promise.all([ask(), ask(), ask()]), count]).toEqual([[value, value, value], computed]);
  }
  const { answers, ask } = open();
  const failing = answers.find(1, "q", () => Promise.reject(new Error("away")));
  const outcomes = await Promise.allSettled([failing, ask(100)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask(101)).toBe(101);
});

test("who asks after it was forgotten doesn't get what was being computed", async () => {
  const { answers, ask } = open();
  const { promise, resolve } = Promise.withResolvers<number>();
  const old = answers.find(1, "q", () => promise);
  answers.forget(1);
  expect(await ask(101)).toBe(101);
  resolve(100);
  expect([await old, await ask(102)]).toEqual([100, 101]);
});

test("only some accounts and answers are kept", async () => {
  const { ask } = open();
  await ask(100);
  for (let account = 2; account < 150; account += 1) await ask(100, account);
  expect(await ask(101)).toBe(101);
  for (let question = 0; question < 50; question += 1) await ask(100, 1, `q${question}`);
  expect(await ask(102)).toBe(102);
});
