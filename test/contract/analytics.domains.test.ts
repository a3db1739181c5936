import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Domain } from "#sdk/generated.ts";
import { type Caller, newLink } from "#test/support/api-client.ts";
import { click, untilReported } from "#test/support/clicks.ts";
import { type DomainStage, newName, startDomainStage } from "#test/support/domain-stage.ts";

let stage: DomainStage;
let caller: Caller;
let domain: Domain;
let ownDomain: string;

/** Two clicks on the instance's own domain, three on one of the account. */
beforeAll(async () => {
  stage = await startDomainStage();
  caller = await stage.api.newCaller();
  domain = await stage.verified(caller.kurz, newName());
  const own = await newLink(caller.kurz);
  ownDomain = own.domain;
  const link = await newLink(caller.kurz, { domain: domain.name });
  const host = { headers: { Host: domain.name } };
  for (const _ of [1, 2]) expect((await click(stage.api.server, own)).status).toBe(302);
  for (const _ of [1, 2, 3]) expect((await click(stage.api.server, link, host)).status).toBe(302);
  await untilReported(caller.kurz, 5);
});
afterAll(() => stage.stop());

test("clicks of all links are reported by the domain that was visited", async () => {
  const { breakdowns } = await caller.kurz.analytics.get({ interval: "24h", group_by: ["domain"] });
  expect(breakdowns.domain?.items.map(({ key, clicks }) => `${key} ${clicks}`)).toEqual([
    `${domain.name} 3`,
    `${ownDomain} 2`,
  ]);
  const csv = await caller.kurz.analytics.get({ interval: "24h", group_by: ["domain"], format: "csv" });
  expect(csv).toBe(`domain,clicks,unique_visitors\r\n${domain.name},3,1\r\n${ownDomain},2,1\r\n`);
});

test("a report can be limited to some domains", async () => {
  const clicksOn = async (...names: string[]) =>
    (await caller.kurz.analytics.get({ interval: "24h", domain: names })).totals.clicks;
  expect(await clicksOn(domain.name.toUpperCase())).toBe(3);
  expect(await clicksOn(ownDomain)).toBe(2);
  expect(await clicksOn(ownDomain, domain.name)).toBe(5);
  expect(await clicksOn("other.example")).toBe(0);
});
