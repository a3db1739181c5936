import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SHARES_PER_LINK_MAX } from "#contract/limits.ts";
import {
  type Api,
  type Caller,
  errorOf,
  fieldErrorsOf,
  joinApi,
  newLink,
  outcomeOf,
} from "#test/support/api-client.ts";
import { readRecords } from "#test/support/change-records.ts";

let api: Api;
let owner: Caller;
beforeAll(async () => {
  api = await joinApi();
  owner = await api.newCaller();
});
afterAll(() => api.stop());

const share = (id: string, json: object, key?: string) =>
  api.call({
    method: "POST",
    path: `/api/v1/links/${id}/share`,
    token: owner.token,
    json,
    ...(key !== undefined && { headers: { "Idempotency-Key": key } }),
  });

describe("sharing a report", () => {
  test("needs no body", async () => {
    const { id } = await newLink(owner.kurz);
    const answer = await api.call({ method: "POST", path: `/api/v1/links/${id}/share`, token: owner.token });
    expect(answer.json).toMatchObject({
      link_id: id,
      password_protected: false,
      min_visitors: 1,
      timezone: "UTC",
      expires_at: null,
      expired: false,
    });
    const { url, badge_url } = answer.json as { readonly url: string; readonly badge_url: string };
    expect(url).toMatch(/^http:\/\/localhost:\d+\/share\/[A-Za-z0-9]{24}$/);
    expect(badge_url).toBe(`${url}/badge.svg`);
  });

  test("never gives the same address twice", async () => {
    const { id } = await newLink(owner.kurz);
    const urls = await Promise.all(Array.from({ length: 10 }, async () => (await owner.kurz.links.share(id)).url));
    expect(new Set(urls).size).toBe(10);
  });

  test("has no badge with a password, which is in no answer, file or log", async () => {
    api.operator.secrets.add("tulips-for-clients");
    const { id } = await newLink(owner.kurz);
    const created = await share(id, { password: "tulips-for-clients" }, "p");
    expect(created.json).toMatchObject({ password_protected: true, badge_url: null });
    expect((await share(id, { password: "tulips-for-clients" }, "p")).text).toBe(created.text);
    expect(created.text).not.toMatch(/tulips|argon2/);
  });

  test("happens once for an idempotency key, which belongs to one link and body", async () => {
    const [one, two] = [await newLink(owner.kurz), await newLink(owner.kurz)];
    const first = await share(one.id, {}, "k");
    const again = await share(one.id, {}, "k");
    expect([again.text, again.headers.get("Idempotent-Replayed")]).toEqual([first.text, "true"]);
    expect(await owner.kurz.links.shares(one.id)).toHaveLength(1);
    expect(outcomeOf(await share(two.id, {}, "k"))).toBe("422 idempotency_key_reused");
    expect(outcomeOf(await share(one.id, { min_visitors: 2 }, "k"))).toBe("422 idempotency_key_reused");
  });

  test.each([
    [{ min_visitors: 0 }, "body min_visitors out_of_range"],
    [{ min_visitors: 1001 }, "body min_visitors out_of_range"],
    [{ timezone: "Mars/Olympus" }, "body timezone invalid_timezone"],
    [{ expires_at: "2001-01-01T00:00:00Z" }, "body expires_at in_past"],
    [{ password: "" }, "body password too_short"],
    [{ url: "https://example.com/" }, "body url read_only_field"],
    [{ colour: "red" }, "body colour unknown_field"],
  ])("refuses %j", async (json, problem) => {
    const { id } = await newLink(owner.kurz);
    const answer = await share(id, json);
    expect(fieldErrorsOf(errorOf(answer))).toEqual([problem]);
    expect(await owner.kurz.links.shares(id)).toEqual([]);
  });

  test("is limited in number for each link, also in parallel", async () => {
    const { id } = await newLink(owner.kurz);
    const answers = await Promise.all(Array.from({ length: SHARES_PER_LINK_MAX + 5 }, () => share(id, {})));
    const outcomes = Object.groupBy(answers, outcomeOf);
    expect([outcomes["201"]?.length, outcomes["422 validation_failed"]?.length]).toEqual([SHARES_PER_LINK_MAX, 5]);
  });

  test("isn't possible in the trash", async () => {
    const { id } = await newLink(owner.kurz);
    await owner.kurz.links.delete(id);
    expect(outcomeOf(await share(id, {}))).toBe("409 invalid_state");
  });
});

describe("shared reports", () => {
  test("are listed newest first, for a link and page by page for the account", async () => {
    const { kurz } = await api.newCaller();
    const [one, two] = [await newLink(kurz), await newLink(kurz)];
    const created = [
      await kurz.links.share(one.id),
      await kurz.links.share(two.id, { min_visitors: 3 }),
      await kurz.links.share(one.id, { expires_at: "2099-01-01T00:00:00Z" }),
    ].toReversed();
    expect(await kurz.links.shares(one.id)).toEqual(created.filter(({ link_id }) => link_id === one.id));
    const page = await kurz.shares.list({ limit: 2 });
    expect([page.data, page.has_more]).toEqual([created.slice(0, 2), true]);
    expect(await Array.fromAsync(kurz.shares.all({ limit: 1 }))).toEqual(created);
    const wrong = await api.call({ path: "/api/v1/shares?cursor=abc", token: owner.token });
    expect(fieldErrorsOf(errorOf(wrong))).toEqual(["query cursor invalid_cursor"]);
  });

  test("leave their traces in the audit log", async () => {
    const { id } = await newLink(owner.kurz);
    const made = await owner.kurz.links.share(id);
    await owner.kurz.shares.revoke(made.id);
    const actions = readRecords<{ action: string }>(
      api.server,
      `select action from link_audit where link_id = '${id}' order by no`,
    );
    expect(actions.map(({ action }) => action)).toEqual(["link.created", "link.shared", "link.unshared"]);
  });

  test("stay with a link in the trash, and are erased with it", async () => {
    const { id } = await newLink(owner.kurz);
    const made = await owner.kurz.links.share(id);
    const rows = () => readRecords(api.server, `select id from shares where id = '${made.id}'`);
    await owner.kurz.links.delete(id);
    expect(rows()).toHaveLength(1);
    await owner.kurz.links.restore(id);
    expect(await owner.kurz.links.shares(id)).toEqual([made]);
    await owner.kurz.links.delete(id);
    await owner.kurz.links.delete(id, { permanent: true });
    expect(rows()).toEqual([]);
    const live = await newLink(owner.kurz);
    const other = await owner.kurz.links.share(live.id);
    await owner.kurz.links.delete(live.id, { permanent: true });
    expect(readRecords(api.server, `select id from shares where id = '${other.id}'`)).toEqual([]);
  });
});
