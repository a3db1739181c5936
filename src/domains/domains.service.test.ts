import { afterAll, expect, test } from "bun:test";
import type { TxtAnswer } from "#engines/outbound/txt-lookup.ts";
import { testDomainService } from "#test/support/test-domains.ts";
import { newTestCaller, openTestRecords } from "#test/support/test-records.ts";

const DAY_MS = 86_400_000;
const opened = openTestRecords();
afterAll(() => opened.close());

interface Dns {
  now: number;
  answer: TxtAnswer;
}

const serviceWith = (dns: Dns) =>
  testDomainService(opened.records, () => dns.now, { lookUpTxt: async () => dns.answer });

test("a record that vanishes is reported after a day, ends nothing, and may come back", async () => {
  const caller = await newTestCaller(opened.records);
  const dns: Dns = { now: Date.UTC(2026, 0, 1), answer: { ok: true, values: [] } };
  const domains = serviceWith(dns);
  const created = await domains.add(caller, "go.acme.example", { isVerified: false });
  const found: TxtAnswer = { ok: true, values: [created.verification.value] };
  dns.answer = found;
  await domains.verify(caller, created.id, null);
  const checkAfter = async (ms: number, next: TxtAnswer) => {
    dns.now += ms;
    dns.answer = next;
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

test("a name that the operator vouches for needs no record, is read as it was last checked, and each day once it has one", async () => {
  const caller = await newTestCaller(opened.records);
  const dns: Dns = { now: Date.UTC(2026, 0, 1), answer: { ok: true, values: [] } };
  const domains = serviceWith(dns);
  const { id, verification } = await domains.add(caller, "vouched.acme.example", { isVerified: true });
  expect(await domains.get(caller, id)).toMatchObject({ verified_by: "operator", last_problem: null });
  const checked = await domains.verify(caller, id, null);
  expect(checked).toMatchObject({ status: "verified", verified_by: "operator" });
  expect(checked.last_problem).toContain("There is no TXT record");
  expect(await domains.get(caller, id)).toEqual(checked);
  dns.now += DAY_MS;
  await domains.recheck(10, () => true);
  expect(await domains.get(caller, id)).toMatchObject({ last_checked_at: "2026-01-01T00:00:00.000Z" });
  // What passes isn't kept.
  dns.answer = { ok: false, problem: "DNS is away" };
  expect((await domains.verify(caller, id, null)).last_problem).toContain("DNS is away");
  expect(await domains.get(caller, id)).toEqual(checked);

  dns.answer = { ok: true, values: [verification.value] };
  expect(await domains.verify(caller, id, null)).toMatchObject({ verified_by: "dns", last_problem: null });
  dns.answer = { ok: true, values: [] };
  await domains.verify(caller, id, null);
  expect((await domains.get(caller, id)).last_problem).toContain("There is no TXT record");
});

test("a name that another account holds is taken by the operator only if that is asked for", async () => {
  const [holder, taker] = [await newTestCaller(opened.records), await newTestCaller(opened.records)];
  const dns: Dns = { now: Date.UTC(2026, 0, 1), answer: { ok: true, values: [] } };
  const domains = serviceWith(dns);
  const name = "held.acme.example";
  const vouched = { isVerified: true };
  const { id, taken_from } = await domains.add(holder, name, vouched);
  expect(taken_from).toBeNull();
  await expect(domains.add(taker, name, vouched)).rejects.toThrow(
    `account ${holder.accountId} holds ${name} (0 links on it)`,
  );
  expect((await domains.list(taker, { limit: 10 })).data).toEqual([]);
  expect((await domains.get(holder, id)).status).toBe("verified");

  const held = { account_id: holder.accountId, domain_id: id, link_count: 0 };
  const taken = await domains.add(taker, name, { isVerified: true, takesOver: true });
  expect(taken).toMatchObject({ status: "verified", taken_from: held });
  expect((await domains.get(holder, id)).status).toBe("lost");
  await expect(domains.update(holder, id, { is_default: true }, null)).rejects.toThrow(
    `The operator gave ${name} to another account. If that is a mistake, ask the operator.`,
  );
  // Who holds it already takes nothing.
  expect((await domains.add(taker, name, vouched)).taken_from).toBeNull();
});

test("why a domain was lost is shown until it is verified again", async () => {
  const [first, second] = [await newTestCaller(opened.records), await newTestCaller(opened.records)];
  const dns: Dns = { now: Date.UTC(2026, 0, 1), answer: { ok: true, values: [] } };
  const domains = serviceWith(dns);
  const name = "lost.acme.example";
  const vouched = await domains.add(first, name, { isVerified: true });
  const proven = await domains.add(second, name, { isVerified: false });
  dns.answer = { ok: true, values: [proven.verification.value] };
  await domains.verify(second, proven.id, null);
  const problemAfter = async (answer: TxtAnswer) => {
    dns.answer = answer;
    const checked = await domains.verify(first, vouched.id, null);
    expect(await domains.get(first, vouched.id)).toEqual(checked);
    return checked.last_problem;
  };
  const reason = `Another account proved that it owns ${name}.`;
  await expect(domains.update(first, vouched.id, { is_default: true }, null)).rejects.toThrow(
    `${reason} If the domain is yours, add the TXT record again, remove any other one at _kurz.${name}, and verify`,
  );
  expect((await domains.get(first, vouched.id)).last_problem).toBe(reason);
  for (const answer of [
    { ok: true, values: [] },
    { ok: true, values: ["other"] },
  ] as const) {
    const problem = await problemAfter(answer);
    expect(problem).toStartWith(`${reason} The`);
    // Each check replaces what the one before found.
    expect(problem?.split("TXT record")).toHaveLength(2);
  }
  const both = { ok: true, values: [vouched.verification.value, proven.verification.value] } as const;
  expect(await problemAfter(both)).toStartWith(`${reason} Another account uses ${name}`);
  expect(await problemAfter({ ok: true, values: [vouched.verification.value] })).toBeNull();
});
