import { afterAll, beforeAll, expect, test } from "bun:test";
import type { Share } from "#sdk/generated.ts";
import { type Api, type Caller, newLink, startApi } from "#test/support/api-client.ts";
import { changeRecords } from "#test/support/change-records.ts";
import { expiringSoon } from "#test/support/expiring.ts";
import { until } from "#test/support/until.ts";

let api: Api;
let owner: Caller;
beforeAll(async () => {
  api = await startApi({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
  owner = await api.newCaller();
});
afterAll(() => api.stop());

const PATHS = ["", "/link", "/report?interval=7d", "/badge.svg"];
const statusesOf = ({ url }: Share): Promise<number[]> =>
  Promise.all(PATHS.map(async (path) => (await fetch(url + path, { headers: { "accept-language": "en" } })).status));
const all = (status: number): number[] => PATHS.map(() => status);

async function newShare(): Promise<{ readonly share: Share; readonly id: string }> {
  const { id } = await newLink(owner.kurz);
  const share = await owner.kurz.links.share(id);
  // Whatever a server could remember of it, it does now.
  expect(await statusesOf(share)).toEqual(all(200));
  return { share, id };
}

test("a revoked report is gone at once, and another of the same link isn't", async () => {
  const { share, id } = await newShare();
  const other = await owner.kurz.links.share(id);
  await owner.kurz.shares.revoke(share.id);
  expect(await statusesOf(share)).toEqual(all(404));
  expect(await statusesOf(other)).toEqual(all(200));
});

test("the report of a deleted link is gone at once, comes back with it, and is erased with it", async () => {
  const { share, id } = await newShare();
  await owner.kurz.links.delete(id);
  expect(await statusesOf(share)).toEqual(all(404));
  await owner.kurz.links.restore(id);
  expect(await statusesOf(share)).toEqual(all(200));
  await owner.kurz.links.delete(id, { permanent: true });
  expect(await statusesOf(share)).toEqual(all(404));
});

test("a report ends when it is said to", async () => {
  const { id } = await newLink(owner.kurz);
  const share = await expiringSoon((expires_at) => owner.kurz.links.share(id, { expires_at }));
  await until("it has ended", async () => (await owner.kurz.links.shares(id))[0]?.expired === true);
  expect(await statusesOf(share)).toEqual(all(404));
});

test("a suspended account shows nothing", async () => {
  const { account, kurz } = await api.newCaller();
  const share = await kurz.links.share((await newLink(kurz)).id);
  await api.operator.suspend(account);
  expect(await statusesOf(share)).toEqual(all(404));
  await api.operator.resume(account);
  expect(await statusesOf(share)).toEqual(all(200));
});

test("an unknown address looks like one that has ended, in the reader's language", async () => {
  const { share } = await newShare();
  await owner.kurz.shares.revoke(share.id);
  const pageOf = async (url: string, language: string) => {
    const response = await fetch(url, { headers: { "accept-language": language } });
    return `${response.status} ${await response.text()}`;
  };
  const unknown = `${api.server.url}/share/${"x".repeat(24)}`;
  for (const [language, words] of [
    ["en", "This report isn’t available"],
    ["de-AT", "Diesen Bericht gibt es nicht"],
  ] as const) {
    const page = await pageOf(share.url, language);
    expect(page).toBe(await pageOf(unknown, language));
    expect(page).toContain(words);
    expect(page).toContain('content="noindex"');
  }
});

test("other methods are refused", async () => {
  const { share } = await newShare();
  for (const [path, allowed] of [
    ["", "GET, HEAD"],
    ["/badge.svg", "GET, HEAD"],
    ["/link", "GET, HEAD"],
    ["/open", "POST"],
  ]) {
    const response = await fetch(share.url + path, { method: "PUT" });
    expect([path, response.status, response.headers.get("allow")]).toEqual([path, 405, allowed]);
  }
  expect((await fetch(`${share.url}/badge.svg`, { method: "HEAD" })).status).toBe(200);
});

test("below /share, only addresses of reports lead there: the rest belongs to short links", async () => {
  for (const path of ["/share", "/share/", "/share/short", `/share/${"x".repeat(25)}`, `/Share/${"x".repeat(24)}`]) {
    const response = await fetch(api.server.url + path, { headers: { "accept-language": "en" } });
    expect([path, response.status]).toEqual([path, 404]);
    expect(await response.text()).not.toContain("report");
  }
});

test("a link that had the slug before it was reserved keeps working, with everything below it", async () => {
  const link = await newLink(owner.kurz, { destination_url: "https://example.com/goal", forward_path: true });
  changeRecords(api.server, "update links set key = 'share' where id = ?", link.id);
  // Says so to those who remember that there is no such link.
  await owner.kurz.links.update(link.id, { title: "Old" });
  const locationOf = async (path: string) =>
    (await fetch(api.server.url + path, { redirect: "manual" })).headers.get("location");
  expect(await locationOf("/share")).toBe("https://example.com/goal");
  expect(await locationOf("/share/a/b")).toBe("https://example.com/goal/a/b");
  const { share } = await newShare();
  expect(await statusesOf(share)).toEqual(all(200));
});
