import { afterAll, beforeAll, expect, test } from "bun:test";
import { type Api, type Caller, errorOf, fieldErrorsOf, startApi } from "#test/support/api-client.ts";

let api: Api;
let owner: Caller;
beforeAll(async () => {
  api = await startApi();
  owner = await api.newCaller();
});
afterAll(() => api.stop());

const URL = "https://hooks.example/kurz";

test("an endpoint is created, read, changed, disabled, enabled and deleted; its secret is only shown when it is new", async () => {
  const { webhooks } = owner.kurz;
  const { secret, ...made } = await webhooks.create({ url: URL, events: ["link.deleted", "link.created"] });
  api.operator.secrets.add(secret);
  expect(secret).toStartWith("whsec_");
  expect(made).toMatchObject({ url: URL, events: ["link.created", "link.deleted"], enabled: true, description: null });
  expect(await webhooks.get(made.id)).toEqual(made);
  expect(await webhooks.list()).toContainEqual(made);

  const changed = await webhooks.update(made.id, { description: "Billing" });
  expect(changed).toMatchObject({ url: URL, events: made.events, description: "Billing" });
  expect(await webhooks.disable(made.id)).toMatchObject({ enabled: false, disabled_by: "owner" });
  expect(await webhooks.enable(made.id)).toMatchObject({ enabled: true, disabled_by: null });

  const rotated = await webhooks.rotate(made.id);
  api.operator.secrets.add(rotated.secret);
  expect(rotated.secret).not.toBe(secret);
  expect((await webhooks.get(made.id)).old_secret_until).not.toBeNull();

  await webhooks.delete(made.id);
  await expect(webhooks.get(made.id)).rejects.toMatchObject({ code: "not_found" });
});

test("a test event is queued", async () => {
  const { id, secret } = await owner.kurz.webhooks.create({ url: URL });
  api.operator.secrets.add(secret);
  expect(await owner.kurz.webhooks.test(id)).toStartWith("dlv_");
  await owner.kurz.webhooks.delete(id);
});

test("an address that isn't public is refused by its field", async () => {
  const json = { url: "https://127.0.0.1/", events: ["link.created"] };
  const refused = await api.call({ method: "POST", path: "/api/v1/webhooks", token: owner.token, json });
  expect(fieldErrorsOf(errorOf(refused))).toEqual(["body url host_not_allowed"]);
});

test("endpoints of other accounts don't exist", async () => {
  const other = await api.newCaller();
  const { id, secret } = await other.kurz.webhooks.create({ url: URL });
  api.operator.secrets.add(secret);
  await expect(owner.kurz.webhooks.get(id)).rejects.toMatchObject({ code: "not_found" });
  await expect(owner.kurz.webhooks.update(id, { url: URL })).rejects.toMatchObject({ code: "not_found" });
  await expect(owner.kurz.webhooks.delete(id)).rejects.toMatchObject({ code: "not_found" });
  expect(await owner.kurz.webhooks.list()).toEqual([]);
});
