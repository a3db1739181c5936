import { afterAll, expect, test } from "bun:test";
import type { TxtAnswer } from "#engines/outbound/txt-lookup.ts";
import { openOutbox } from "#outbox/outbox.service.ts";
import { newTestCaller, openTestRecords } from "#test/support/test-records.ts";
import { domainService } from "./domains.service.ts";

const DAY_MS = 86_400_000;
const opened = openTestRecords();
afterAll(() => opened.close());

test("a record that vanishes is reported after a day, ends nothing, and may come back", async () => {
  const { records } = opened;
  const caller = await newTestCaller(records);
  let now = Date.UTC(2026, 0, 1);
  let answer: TxtAnswer = { ok: true, values: [] };
  const domains = domainService({
    records,
    clock: () => now,
    outbox: openOutbox(),
    ownHosts: ["s.example"],
    shortDomain: "s.example",
    urls: { check: (url) => ({ ok: true, url }), blockReasonOf: () => null },
    lookUpTxt: async () => answer,
  });
  const created = await domains.add(caller, "go.acme.example", { isVerified: false });
  const found: TxtAnswer = { ok: true, values: [created.verification.value] };
  answer = found;
  await domains.verify(caller, created.id, null);
  const checkAfter = async (ms: number, next: TxtAnswer) => {
    now += ms;
    answer = next;
    const checked = await domains.recheck(10, () => true);
    const { status, last_problem } = await domains.get(caller, created.id);
    return [checked, status, last_problem !== null];
  };
  expect(await checkAfter(DAY_MS - 1, { ok: true, values: [] })).toEqual([0, "verified", false]);
  expect(await checkAfter(1, { ok: true, values: [] })).toEqual([1, "verified", false]);
  expect(await checkAfter(DAY_MS, { ok: false, problem: "away" })).toEqual([1, "verified", true]);
  expect(await checkAfter(30 * DAY_MS, { ok: true, values: [] })).toEqual([1, "verified", true]);
  expect(await checkAfter(DAY_MS, found)).toEqual([1, "verified", false]);
});
