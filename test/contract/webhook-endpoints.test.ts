import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Api, type Caller, errorOf, fieldErrorsOf, joinApi } from "#test/support/api-client.ts";

let api: Api;
let owner: Caller;
beforeAll(async () => {
  api = await joinApi();
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

describe("a token", () => {
  const endpointsOf = (token: string) => api.sdk(token).webhooks;
  const newToken = (scopes: string) => api.operator.newToken(owner.account, { scopes });
  const refusal = (scope: string) => ({ code: "insufficient_scope", details: { required_scope: scope } });

  test("has nothing sent that it can't read", async () => {
    const [writing, links, all] = [
      endpointsOf(await newToken("webhooks:write")),
      endpointsOf(await newToken("webhooks:write,links:read")),
      endpointsOf(await newToken("webhooks:write,links:read,analytics:read,domains:read")),
    ];
    await expect(writing.create({ url: URL, events: ["link.paused"] })).rejects.toMatchObject(refusal("links:read"));
    await expect(writing.create({ url: URL, events: ["link.clicked"] })).rejects.toMatchObject(
      refusal("analytics:read"),
    );
    await expect(links.create({ url: URL, events: ["link.paused", "link.clicked"] })).rejects.toMatchObject({
      ...refusal("analytics:read"),
      message: "The token needs the analytics:read scope to have link.clicked sent.",
    });
    await expect(links.create({ url: URL, events: ["domain.lost"] })).rejects.toMatchObject(refusal("domains:read"));
    await expect(links.create({ url: URL })).rejects.toMatchObject(refusal("domains:read"));
    for (const { id, secret } of [
      await links.create({ url: URL, events: ["link.paused"] }),
      await all.create({ url: URL }),
    ]) {
      api.operator.secrets.add(secret);
      await writing.delete(id);
    }
  });

  test("can't have it sent by changing an endpoint either, but manages the endpoint otherwise", async () => {
    const { id, secret } = await owner.kurz.webhooks.create({ url: URL, events: ["link.paused"] });
    api.operator.secrets.add(secret);
    const writing = endpointsOf(await newToken("webhooks:write"));
    await expect(writing.update(id, { url: `${URL}/mine` })).rejects.toMatchObject(refusal("links:read"));
    await expect(writing.update(id, { events: ["domain.lost"] })).rejects.toMatchObject(refusal("domains:read"));
    expect(await writing.update(id, { description: "Ours" })).toMatchObject({ url: URL, events: ["link.paused"] });
    const clicks = endpointsOf(await newToken("webhooks:write,links:read,analytics:read"));
    const changed = await clicks.update(id, { url: `${URL}/clicks`, events: ["link.paused", "link.clicked"] });
    expect(changed.events).toEqual(["link.paused", "link.clicked"]);
    const links = endpointsOf(await newToken("webhooks:write,links:read"));
    await expect(links.update(id, { url: URL })).rejects.toMatchObject(refusal("analytics:read"));
    await writing.delete(id);
  });
});
