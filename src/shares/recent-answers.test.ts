import { expect, test } from "bun:test";
import { RecentAnswers } from "./recent-answers.ts";

function watched() {
  let now = 0;
  const asked: string[] = [];
  const recent = new RecentAnswers<number>({ keptMs: 1000, most: 2, now: () => now });
  return {
    asked,
    pass: (ms: number) => {
      now += ms;
    },
    get: (question: string, answer: () => Promise<number> = async () => asked.length) =>
      recent.get(question, () => {
        asked.push(question);
        return answer();
      }),
  };
}

test("a question is asked once in its time, also by several at once", async () => {
  const { get, asked, pass } = watched();
  expect(await Promise.all([get("a"), get("a")])).toEqual([1, 1]);
  pass(999);
  expect(await get("a")).toBe(1);
  pass(1);
  expect(await get("a")).toBe(2);
  expect(asked).toEqual(["a", "a"]);
});

test("the oldest of too many is asked again", async () => {
  const { get, asked } = watched();
  for (const question of ["a", "b", "c", "b", "c", "a"]) await get(question);
  expect(asked).toEqual(["a", "b", "c", "a"]);
});

test("a failure is told to those who wait for it, and to nobody later", async () => {
  const { get, asked } = watched();
  const fail = () => Promise.reject(new Error("away"));
  expect((await Promise.allSettled([get("a", fail), get("a")])).map(({ status }) => status)).toEqual([
    "rejected",
    "rejected",
  ]);
  expect(await get("a")).toBe(2);
  expect(asked).toEqual(["a", "a"]);
});
