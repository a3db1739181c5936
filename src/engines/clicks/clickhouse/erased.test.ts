import { expect, test } from "bun:test";
import type { LinkNumber } from "../clicks-engine.ts";
import { type Erased, ErasedNumbers } from "./erased.ts";
import type { ClickHouseSession, Row } from "./session.ts";

/** The tables of erased links and accounts, whose rows all nodes add to. */
function erasureTables() {
  const erased: Erased[] = [];
  const asked: string[] = [];
  let held: { readonly text: string; readonly hold: () => Promise<void> } | null = null;
  const named = (sql: string): readonly Row[] => {
    const pairs = new Set([...sql.matchAll(/\((\d+), (\d+)\)/g)].map(([, account, link]) => `${account}:${link}`));
    const accounts = new Set(/account_no in \(([^)]+)\)$/.exec(sql)?.[1]?.split(", "));
    return erased
      .filter(({ accountNo, linkNo }) =>
        linkNo === 0 ? accounts.has(String(accountNo)) : pairs.has(`${accountNo}:${linkNo}`),
      )
      .map(({ accountNo, linkNo }) => [accountNo, linkNo]);
  };
  const answerTo = (sql: string): readonly Row[] => {
    if (sql.includes("count()")) return [[erased.length]];
    if (sql.includes(" in (")) return named(sql);
    return erased.map(({ accountNo, linkNo }) => [accountNo, linkNo, "2026-11-17 00:00:00.000"]);
  };
  const session: Partial<ClickHouseSession> = {
    async rows(sql: string) {
      asked.push(sql);
      const answer = answerTo(sql);
      if (held !== null && sql.includes(held.text)) {
        const { hold } = held;
        held = null;
        await hold();
      }
      return answer;
    },
  };
  /** The next answer to a statement with this text is made, but arrives only once it is released. */
  const holdNext = (text: string) => {
    const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = () => {
      asked.resolve();
      return released.promise;
    };
    held = { text, hold };
    return { isHeld: asked.promise, release: released.resolve };
  };
  return { session: session as ClickHouseSession, erased, asked, holdNext };
}

const link = (accountNo: number, linkNo: number): LinkNumber => ({ accountNo, linkNo });
const account = (accountNo: number): Erased => link(accountNo, 0);
const links = [link(1, 1), link(1, 2), link(2, 1), link(3, 1), link(4, 1)];

for (const [kept, keptMax] of [
  ["all of them are kept", 100],
  ["there are more than are kept", 1],
  ["there get more than are kept", 3],
] as const) {
  test(`what was erased before and after a look is found if ${kept}`, async () => {
    const { session, erased } = erasureTables();
    const numbers = new ErasedNumbers(session, keptMax);
    erased.push(link(1, 1), account(2), link(9, 9));
    const look = await numbers.look(async () => links);
    const isErased = ({ accountNo, linkNo }: LinkNumber) => look.isErased?.(accountNo, linkNo);
    expect(links.filter(isErased)).toEqual([link(1, 1), link(2, 1)]);
    erased.push(link(1, 2), account(3));
    // Another one that reads them meanwhile, such as for tags.
    await numbers.look(async () => []);
    expect(await look.findAdded()).toEqual(expect.arrayContaining([link(1, 2), account(3)]));
    expect(await look.findAdded()).not.toContainEqual(link(4, 1));
  });
}

test("nothing is asked about links as long as nothing was erased", async () => {
  const { session, asked } = erasureTables();
  const look = await new ErasedNumbers(session, 0).look(() => Promise.reject(new Error("asked")));
  expect([look.isErased, await look.findAdded(), asked.length]).toEqual([null, [], 2]);
});

test("very many links are asked about in several statements", async () => {
  const { session, erased, asked } = erasureTables();
  const many = Array.from({ length: 5000 }, (_, index) => link(1, index + 1));
  erased.push(...many);
  const { isErased } = await new ErasedNumbers(session, 10).look(async () => many);
  expect([isErased?.(1, 5000), isErased?.(1, 5001)]).toEqual([true, false]);
  expect(asked).toHaveLength(1 + 3);
});

test("a look that began before there were too many to keep doesn't hide what was erased from others", async () => {
  const { session, erased, holdNext } = erasureTables();
  const numbers = new ErasedNumbers(session, 2);
  const look = () => numbers.look(async () => links);
  erased.push(link(1, 1), account(2));
  const read = holdNext("toString(at)");
  const reading = look();
  await read.isHeld;
  const count = holdNext("count()");
  const counting = look();
  await count.isHeld;
  erased.push(link(9, 9));
  const asking = look();
  await asking;
  read.release();
  await reading;
  count.release();
  for (const seen of [await reading, await counting, await asking]) {
    expect(links.filter(({ accountNo, linkNo }) => seen.isErased?.(accountNo, linkNo))).toEqual([
      link(1, 1),
      link(2, 1),
    ]);
  }
});
