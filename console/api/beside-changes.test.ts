import { expect, test } from "bun:test";
import { asChange, besideChanges } from "./beside-changes.ts";

const isSignedOut = (answer: string): boolean => answer === "signed out";

/** Answers each question when told to. */
function heldAnswers() {
  const questions: PromiseWithResolvers<string>[] = [];
  const ask = () => {
    const question = Promise.withResolvers<string>();
    questions.push(question);
    return question.promise;
  };
  return { questions, ask };
}

const turn = () => new Promise((resolve) => setTimeout(resolve));

test("a question that is refused while a change is under way is asked again once that is answered", async () => {
  const { questions, ask } = heldAnswers();
  const change = Promise.withResolvers<string>();
  const changed = asChange(() => change.promise, isSignedOut);
  const answer = besideChanges(ask, isSignedOut);
  questions[0]?.resolve("signed out");
  await turn();
  expect(questions).toHaveLength(1);
  change.resolve("new id");
  expect(await changed).toBe("new id");
  await turn();
  expect(questions).toHaveLength(2);
  questions[1]?.resolve("signed in");
  expect(await answer).toBe("signed in");
});

test("a refusal that comes after the change was answered is no news either", async () => {
  const { questions, ask } = heldAnswers();
  const answer = besideChanges(ask, isSignedOut);
  await asChange(async () => "new id", isSignedOut);
  questions[0]?.resolve("signed out");
  await turn();
  expect(questions).toHaveLength(2);
  questions[1]?.resolve("signed in");
  expect(await answer).toBe("signed in");
});

test("a refusal without a change is believed, as is one after a change that failed", async () => {
  const { questions, ask } = heldAnswers();
  const alone = besideChanges(ask, isSignedOut);
  questions[0]?.resolve("signed out");
  expect(await alone).toBe("signed out");

  const change = Promise.withResolvers<string>();
  const failed = asChange(() => change.promise, isSignedOut).catch(() => "failed");
  const beside = besideChanges(ask, isSignedOut);
  questions[1]?.resolve("signed out");
  change.reject(new Error("offline"));
  expect(await failed).toBe("failed");
  await turn();
  questions[2]?.resolve("signed out");
  expect(await beside).toBe("signed out");
  expect(questions).toHaveLength(3);
});

test("a change that is refused beside another is sent again once that is answered", async () => {
  const { questions: sent, ask: send } = heldAnswers();
  const confirmation = Promise.withResolvers<string>();
  const confirmed = asChange(() => confirmation.promise, isSignedOut);
  const deleted = asChange(send, isSignedOut);
  sent[0]?.resolve("signed out");
  await turn();
  expect(sent).toHaveLength(1);
  confirmation.resolve("new id");
  expect(await confirmed).toBe("new id");
  await turn();
  expect(sent).toHaveLength(2);
  sent[1]?.resolve("deleted");
  expect(await deleted).toBe("deleted");
});

test("changes that are refused side by side are not sent again and again", async () => {
  const { questions: sent, ask: send } = heldAnswers();
  const changes = [asChange(send, isSignedOut), asChange(send, isSignedOut)];
  await turn();
  for (const one of sent) one.resolve("signed out");
  expect(await Promise.all(changes)).toEqual(["signed out", "signed out"]);
  expect(sent).toHaveLength(2);
});
