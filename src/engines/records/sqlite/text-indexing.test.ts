import { afterAll, beforeAll, expect, test } from "bun:test";
import { sql } from "kysely";
import type { Link } from "#contract/link-record.ts";
import type { Caller } from "#kernel/caller.ts";
import type { LinkService } from "#links/links.service.ts";
import { createTestLink, linkQuery, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords, type TestRecords } from "#test/support/test-records.ts";
import { until } from "#test/support/until.ts";
import { startTextIndexing } from "./text-indexing.ts";

let store: TestRecords;
let links: LinkService;
let caller: Caller;
const made: Link[] = [];

beforeAll(async () => {
  store = openTestRecords();
  links = testLinkService(store.records);
  caller = await newTestCaller(store.records);
  for (let number = 0; number < 20; number += 1) {
    made.push(await createTestLink(links, caller, { title: `Number <${number}>` }));
    expect(await titlesFor(`<${number}>`)).toEqual([`Number <${number}>`]);
  }
  await until("a batch is in the text index", async () => (await countIndexed()) === 16);
});
afterAll(() => store.close());

const titlesFor = async (q: string) =>
  (await links.list(caller, linkQuery({ q, limit: 100 }))).data.map(({ title }) => title);

async function countIndexed(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from links_text_docsize`.execute(
    store.records.read,
  );
  return rows[0]?.count ?? 0;
}

test("a search finds indexed links and those not yet indexed, each once", async () => {
  expect(await titlesFor("number <")).toHaveLength(20);
});

test("updated and deleted links are found in their current state, indexed or not", async () => {
  const [first, second] = made;
  const [last, lastButOne] = made.toReversed();
  if (!first || !second || !last || !lastButOne) throw new Error("too few links were made");
  for (const { id } of [first, last]) await links.update(caller, id, { title: "Renamed" }, null);
  for (const { id } of [second, lastButOne]) await links.delete(caller, id, null);
  expect(await titlesFor("renamed")).toEqual(["Renamed", "Renamed"]);
  expect(await titlesFor("number <")).toHaveLength(16);
  expect(await countIndexed()).toBe(15);
});

test("a link updated before it was indexed is found in its current state", async () => {
  for (let number = 20; number < 40; number += 1) await createTestLink(links, caller, { title: `Number <${number}>` });
  await until("another batch is in the text index", async () => (await countIndexed()) >= 15 + 16);
  expect(await titlesFor("renamed")).toEqual(["Renamed", "Renamed"]);
  expect(await titlesFor("<19>")).toEqual([]);
  expect(await titlesFor("<18>")).toEqual([]);
  expect(await titlesFor("number <")).toHaveLength(36);
});

test("a commit that doesn't affect the text index causes no other commit", async () => {
  let looks = 0;
  let writes = 0;
  const indexing = startTextIndexing({
    read: store.records.read.withPlugin({
      transformQuery({ node }) {
        looks += 1;
        return node;
      },
      transformResult: async ({ result }) => result,
    }),
    write(work) {
      writes += 1;
      return store.records.write(work);
    },
    batch: Number.POSITIVE_INFINITY,
    onError: (error) => expect.unreachable(String(error)),
  });
  const look = async () => {
    const before = looks;
    await until("it has looked twice", () => {
      indexing.wake();
      return looks >= before + 4;
    });
  };
  await look();
  const settled = writes;
  expect(settled).toBe(1);
  await look();
  expect(writes).toBe(settled);
  await links.update(caller, made[2]?.id ?? "", { title: "Changed once more" }, null);
  await look();
  expect(writes).toBe(settled + 1);
  await indexing.stop();
});
