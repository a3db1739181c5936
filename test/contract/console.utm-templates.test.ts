import { afterAll, beforeAll, expect, test } from "bun:test";
import { listAudit } from "#contract/console/account.ts";
import {
  deleteUtmTemplate,
  listUtmTemplates,
  saveUtmTemplate,
  UTM_TEMPLATES_MAX,
} from "#contract/console/utm-templates.ts";
import { type ConsoleClient, type ConsoleServer, outcomeOf, startConsole } from "#test/support/console-client.ts";

let site: ConsoleServer;
beforeAll(async () => {
  site = await startConsole({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
});
afterAll(() => site.stop());

const utm = { utm_source: "newsletter", utm_medium: "email" };
const namesOf = async (client: ConsoleClient) => (await client.do(listUtmTemplates)).data.map(({ name }) => name);

test("a template is shared by the account, replaced under its name, and deleted", async () => {
  const owner = await site.newOwner();
  const first = await owner.do(saveUtmTemplate, { body: { name: "Newsletter", utm } });
  expect(first).toEqual({ id: expect.stringMatching(/^utm_/), name: "Newsletter", utm });
  await owner.do(saveUtmTemplate, { body: { name: "Ads", utm: { utm_source: "ads" } } });
  const again = await owner.do(saveUtmTemplate, { body: { name: "Newsletter", utm: { utm_source: "weekly" } } });
  expect(again).toEqual({ id: first.id, name: "Newsletter", utm: { utm_source: "weekly" } });
  expect((await owner.do(listUtmTemplates)).data).toEqual([expect.objectContaining({ name: "Ads" }), again]);
  await owner.do(deleteUtmTemplate, { params: { id: first.id } });
  expect(await namesOf(owner)).toEqual(["Ads"]);
  expect(outcomeOf(await owner.call(deleteUtmTemplate, { params: { id: first.id } }))).toBe("404 not_found");
});

test("the audit log shows who saved and deleted one", async () => {
  const owner = await site.newOwner();
  const { id } = await owner.do(saveUtmTemplate, { body: { name: "Logged", utm } });
  await owner.do(deleteUtmTemplate, { params: { id } });
  const { data } = await owner.do(listAudit, { query: { action: "account" } });
  expect(data.slice(0, 2)).toEqual([
    expect.objectContaining({ action: "account.utm_template_deleted", subject: id, details: { name: "Logged" } }),
    expect.objectContaining({ action: "account.utm_template_saved", subject: id, details: { name: "Logged" } }),
  ]);
});

test("another account neither sees nor deletes it", async () => {
  const [mine, other] = [await site.newOwner(), await site.newOwner()];
  const { id } = await mine.do(saveUtmTemplate, { body: { name: "Mine", utm } });
  expect(await namesOf(other)).toEqual([]);
  expect(outcomeOf(await other.call(deleteUtmTemplate, { params: { id } }))).toBe("404 not_found");
  await other.do(saveUtmTemplate, { body: { name: "Mine", utm: { utm_source: "other" } } });
  expect((await mine.do(listUtmTemplates)).data).toEqual([{ id, name: "Mine", utm }]);
});

test("one without parameters, with an unknown one, or one too many is refused", async () => {
  const owner = await site.newOwner();
  const save = async (body: object) => outcomeOf(await owner.call(saveUtmTemplate, { body: body as never }));
  expect(await save({ name: "Empty", utm: {} })).toBe("422 validation_failed");
  expect(await save({ name: "Unknown", utm: { utm_colour: "red" } })).toBe("422 validation_failed");
  expect(await save({ name: "", utm })).toBe("422 validation_failed");
  for (let no = 1; no <= UTM_TEMPLATES_MAX; no += 1) expect(await save({ name: `Template ${no}`, utm })).toBe("200");
  expect(await save({ name: "One more", utm })).toBe("422 validation_failed");
  expect(await save({ name: "Template 7", utm: { utm_source: "still replaced" } })).toBe("200");
});
