import { expect, test } from "bun:test";
import { exportLinks } from "#contract/link-export.ts";
import { streamText } from "#http/stream-text.ts";
import { createTestLink, linkQuery, testLinkService } from "#test/support/test-links.ts";
import { newTestCaller, openTestRecords } from "#test/support/test-records.ts";

test("an export has what the list has, page by page as it is read", async () => {
  const { records, close } = openTestRecords();
  const links = testLinkService(records);
  const caller = await newTestCaller(records);
  const create = (index: number) => ({ op: "create", link: { destination_url: `https://example.com/${index}` } });
  await links.bulk(
    caller,
    { operations: Array.from({ length: 450 }, (_, index) => create(index)), atomic: true },
    null,
  );
  const archived = await createTestLink(links, caller, { title: "=1+1" });
  await links.act(caller, archived.id, "archive", null);

  const read = async (query: object) => {
    const { parts } = links.export(caller, exportLinks.query.parse(query));
    return new Response(await streamText(parts, false)).text();
  };
  const ndjson = (await read({})).trimEnd().split("\n");
  const { data } = await links.list(caller, linkQuery({ sort: "created_at", limit: 100 }));
  expect(ndjson).toHaveLength(450);
  expect(ndjson.slice(0, 100).map((line) => JSON.parse(line))).toEqual(data);
  expect((await read({ state: ["all"], format: "csv" })).split("\r\n")).toHaveLength(450 + 1 + 2);
  expect(await read({ state: ["archived"], format: "csv" })).toContain(",'=1+1,");
  expect(await read({ q: "nothing has this" })).toBe("");

  // Nothing is read beyond what is asked for.
  const { parts } = links.export(caller, exportLinks.query.parse({}));
  const { value } = await parts.next();
  expect(value?.split("\n")).toHaveLength(201);
  await parts.return(undefined);
  await close();
});
