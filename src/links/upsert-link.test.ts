import { expect, test } from "bun:test";
import { OtherStatus } from "#http/route.ts";
import { testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords } from "#test/support/test-records.ts";

test("a link by its external id is created, replaced, or left alone", async () => {
  const { records, close } = openTestRecords();
  const links = testLinkService(records);
  const caller = await newTestCaller(records);
  const put = async (body: object) => {
    const done = await links.upsert(caller, "order-1", { destination_url: "https://example.com/", ...body }, null);
    return done instanceof OtherStatus ? ([done.status, done.value] as const) : ([201, done] as const);
  };
  const [created, first] = await put({ title: "One", utm: { utm_source: "a" }, metadata: { a: "1" }, rules: [] });
  expect([created, first.external_id, first.title]).toEqual([201, "order-1", "One"]);
  const same = await put({ title: "One", utm: { utm_source: "a" }, metadata: { a: "1" } });
  expect(same).toEqual([200, first]);
  const [, replaced] = await put({ utm: { utm_medium: "b" }, preview: { title: "Card" } });
  expect(replaced).toMatchObject({ id: first.id, version: 2, title: null, utm: { utm_medium: "b" }, metadata: {} });
  expect(Object.keys(replaced.utm)).toEqual(["utm_medium"]);
  await expect(put({ slug: "another" })).rejects.toThrow("can't be changed");
  await close();
});
