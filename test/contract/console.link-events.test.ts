import { afterAll, beforeAll, expect, test } from "bun:test";
import { listLinkEvents } from "#contract/console/links.ts";
import { createLink, pauseLink, updateLink } from "#contract/links.ts";
import { type ConsoleClient, type ConsoleServer, outcomeOf, startConsole } from "#test/support/console-client.ts";

let site: ConsoleServer;
let owner: ConsoleClient;
beforeAll(async () => {
  site = await startConsole();
  ({ owner } = site);
});
afterAll(() => site.stop());

const HOUR_MS = 3_600_000;
const instant = (hoursFromNow: number): string => new Date(Date.now() + hoursFromNow * HOUR_MS).toISOString();
const now = { from: instant(-1), to: instant(1) };

const create = () => owner.do(createLink, { body: { destination_url: "https://example.com/" } });

test("what happened to a link is listed newest first, without values or names", async () => {
  const { id } = await create();
  const other = await create();
  await owner.do(updateLink, { params: { id }, body: { destination_url: "https://example.com/new", title: "New" } });
  await owner.do(pauseLink, { params: { id } });
  await owner.do(pauseLink, { params: { id: other.id } });
  const viewer = await site.newMember("viewer");
  const { data } = await viewer.do(listLinkEvents, { params: { id }, query: now });
  expect(data.map(({ at: _, ...event }) => event)).toEqual([
    { action: "link.paused", fields: [] },
    { action: "link.updated", fields: ["destination_url", "title"] },
    { action: "link.created", fields: [] },
  ]);
});

test("only within the range", async () => {
  const { id } = await create();
  const past = { from: instant(-48), to: instant(-24) };
  expect((await owner.do(listLinkEvents, { params: { id }, query: past })).data).toEqual([]);
});

test("a link of another account has none", async () => {
  const { id } = await create();
  const stranger = await site.newOwner();
  expect(outcomeOf(await stranger.call(listLinkEvents, { params: { id }, query: now }))).toBe("404 not_found");
});
