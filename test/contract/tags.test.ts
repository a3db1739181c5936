import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Kurz } from "#sdk/client.ts";
import type { Link, Tag } from "#sdk/generated.ts";
import { type Api, errorFrom, errorOf, fieldErrorsOf, joinApi, newLink, outcomeOf } from "#test/support/api-client.ts";
import { changeRecords, readRecords } from "#test/support/change-records.ts";
import { userAgents } from "#test/support/clicks.ts";
import { until } from "#test/support/until.ts";
import { visit } from "#test/support/visit.ts";

const PATH = "/api/v1/tags";

let api: Api;

beforeAll(async () => {
  api = await joinApi();
});
afterAll(() => api.stop());

const tagOf = (name: string, more: Partial<Tag> = {}): Tag => ({
  name,
  color: null,
  link_count: 1,
  click_count: 0,
  pending: false,
  ...more,
});

const tagsOf = async (kurz: Kurz, id: string) => (await kurz.links.get(id)).tags;

const auditOf = (account: string, action: string) =>
  readRecords<object>(
    api.server,
    "select subject, details from audit_log where action = ? and account_no = (select no from accounts where id = ?)",
    action,
    account,
  );

/** Waits for what a request has left to do. */
const settled = (kurz: Kurz) =>
  until("no tag is pending", async () => {
    for await (const { pending } of kurz.tags.all()) if (pending) return false;
    return true;
  });

describe("the list of tags", () => {
  test("has every tag by name with its links and their clicks, without the trash and other accounts'", async () => {
    const { kurz } = await api.newCaller();
    const stranger = await api.newCaller();
    await newLink(stranger.kurz, { tags: ["foreign"] });
    expect((await kurz.tags.list()).data).toEqual([]);
    const first = await newLink(kurz, { tags: ["Spring", "b"] });
    const second = await newLink(kurz, { tags: ["spring"] });
    await kurz.links.archive(second.id);
    const gone = await newLink(kurz, { tags: ["spring", "gone"] });
    await kurz.links.delete(gone.id);
    await visit(api.server, `/${first.slug}`, { headers: { "User-Agent": userAgents.firefox } });
    await until("the click is counted", async () => (await kurz.links.get(first.id)).click_count === 1);
    expect((await kurz.tags.list()).data).toEqual([
      tagOf("b", { click_count: 1 }),
      tagOf("spring", { link_count: 2, click_count: 1 }),
    ]);
    expect(await kurz.tags.get("SPRING")).toEqual(tagOf("spring", { link_count: 2, click_count: 1 }));
    await errorFrom(kurz.tags.get("gone"), "not_found");
    await errorFrom(stranger.kurz.tags.get("spring"), "not_found");
  });

  test("can be paged and searched", async () => {
    const { kurz, token } = await api.newCaller();
    const names = ["100%", "a b", "a/b", "ab", "é", "ß", "🌷"];
    await newLink(kurz, { tags: names.toReversed() });
    await kurz.tags.update("ab", { color: "red" });
    const found: string[] = [];
    for await (const { name } of kurz.tags.all({ limit: 2 })) found.push(name);
    expect(found).toEqual(names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))));
    expect((await kurz.tags.list({ q: "A" })).data.map(({ name }) => name)).toEqual(["a b", "a/b", "ab"]);
    expect((await kurz.tags.list({ q: "%" })).data.map(({ name }) => name)).toEqual(["100%"]);
    const page = await api.call({ path: `${PATH}?limit=3`, token });
    expect(page.headers.get("Link")).toMatch(/^<\/api\/v1\/tags\?limit=3&cursor=[^>]*>; rel="next"$/);
    for (const name of names) expect((await kurz.tags.get(name)).name).toBe(name);
  });
});

describe("a tag", () => {
  test("is renamed on every link, in its place, with version, event and audit entry as by an update", async () => {
    const { kurz, account } = await api.newCaller();
    const links: Link[] = [];
    for (let count = 0; count < 45; count += 1) {
      links.push(await newLink(kurz, { tags: ["first", "Old Name", "last"] }));
    }
    const other = await newLink(kurz, { tags: ["first"] });
    const [paused, archived, deleted] = links;
    await kurz.links.pause(paused?.id ?? "");
    await kurz.links.archive(archived?.id ?? "");
    await kurz.links.delete(deleted?.id ?? "");
    const renamed = await kurz.tags.update("OLD name", { name: "New Name" });
    expect(renamed.name).toBe("new name");
    await settled(kurz);
    expect(await kurz.tags.get("new name")).toEqual(tagOf("new name", { link_count: 44 }));
    await errorFrom(kurz.tags.get("old name"), "not_found");
    for (const { id } of links.slice(1)) {
      if (id === deleted?.id) continue;
      expect(await tagsOf(kurz, id)).toEqual(["first", "New Name", "last"]);
    }
    expect(await kurz.links.get(links[9]?.id ?? "")).toMatchObject({ version: 2, state: "active" });
    expect(await kurz.links.get(archived?.id ?? "")).toMatchObject({ version: 3, state: "archived" });
    expect((await kurz.links.get(other.id)).version).toBe(1);
    expect(await tagsOf(kurz, deleted?.id ?? "")).toEqual(["first", "Old Name", "last"]);
    expect((await kurz.links.list({ tag: ["new name"], state: ["all"], limit: 100 })).data).toHaveLength(44);
    const ofLink = "select action, fields from link_audit where link_id = ? order by no";
    expect(readRecords<object>(api.server, ofLink, links[9]?.id ?? "")).toEqual([
      { action: "link.created", fields: "" },
      { action: "link.updated", fields: "tags" },
    ]);
    expect(auditOf(account, "tag.renamed")).toEqual([{ subject: "old name", details: '{"name":"New Name"}' }]);
  });

  test("may be spelled anew, and isn't merged into another by accident", async () => {
    const { kurz } = await api.newCaller();
    const both = await newLink(kurz, { tags: ["a", "x", "b"] });
    const one = await newLink(kurz, { tags: ["b"] });
    expect(await kurz.tags.update("b", { name: "B" })).toEqual(tagOf("b", { link_count: 2 }));
    expect(await tagsOf(kurz, one.id)).toEqual(["B"]);
    const { details } = await errorFrom(kurz.tags.update("a", { name: "b" }), "tag_exists");
    expect(details).toEqual({ tag: "b" });
    expect(await tagsOf(kurz, both.id)).toEqual(["a", "x", "B"]);
    expect(await kurz.tags.update("a", { name: "b", merge: true })).toEqual(tagOf("b", { link_count: 2 }));
    expect(await tagsOf(kurz, both.id)).toEqual(["b", "x"]);
    expect((await kurz.links.get(one.id)).version).toBe(2);
    expect(await kurz.tags.update("x", { name: "y", merge: true })).toEqual(tagOf("y"));
  });

  test("keeps its color when it is renamed, unless the other tag has one", async () => {
    const { kurz, account } = await api.newCaller();
    await newLink(kurz, { tags: ["a", "b"] });
    expect(await kurz.tags.update("A", { color: "red" })).toEqual(tagOf("a", { color: "red" }));
    expect(await kurz.tags.update("a", { name: "c" })).toEqual(tagOf("c", { color: "red" }));
    expect(await kurz.tags.update("b", { color: "blue" })).toEqual(tagOf("b", { color: "blue" }));
    expect(await kurz.tags.update("c", { name: "b", merge: true })).toEqual(tagOf("b", { color: "blue" }));
    expect(await kurz.tags.update("b", { name: "d", color: "pink" })).toEqual(tagOf("d", { color: "pink" }));
    expect(await kurz.tags.update("d", { color: null })).toEqual(tagOf("d"));
    expect(auditOf(account, "tag.colored")).toHaveLength(4);
    expect(await kurz.tags.update("d", {})).toEqual(tagOf("d"));
  });

  test("is removed from every link", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz, { tags: ["a", "Going", "b"] });
    await kurz.tags.update("going", { color: "teal" });
    await kurz.tags.delete("going");
    expect(await kurz.links.get(id)).toMatchObject({ tags: ["a", "b"], version: 2 });
    await errorFrom(kurz.tags.delete("going"), "not_found");
    await errorFrom(kurz.tags.update("going", { name: "else" }), "not_found");
    expect((await kurz.tags.list()).data.map(({ name }) => name)).toEqual(["a", "b"]);
  });

  test("with a color stays without links until it is deleted", async () => {
    const { kurz } = await api.newCaller();
    const { id } = await newLink(kurz, { tags: ["kept"] });
    await kurz.tags.update("kept", { color: "gray" });
    await kurz.links.update(id, { tags: [] });
    const kept = tagOf("kept", { color: "gray", link_count: 0 });
    expect((await kurz.tags.list()).data).toEqual([kept]);
    expect(await kurz.tags.update("kept", { name: "still" })).toEqual({ ...kept, name: "still" });
    await kurz.tags.delete("still");
    expect((await kurz.tags.list()).data).toEqual([]);
    // Without a color, nothing is left of it.
    await kurz.links.update(id, { tags: ["bare"] });
    await kurz.tags.update("bare", { color: "gray" });
    await kurz.links.update(id, { tags: [] });
    expect(await kurz.tags.update("bare", { color: null })).toEqual(tagOf("bare", { link_count: 0 }));
    expect((await kurz.tags.list()).data).toEqual([]);
    await errorFrom(kurz.tags.get("bare"), "not_found");
    await errorFrom(kurz.tags.update("bare", { name: "other" }), "not_found");
  });

  test("can be colored, renamed and deleted whatever characters its name has", async () => {
    const { kurz } = await api.newCaller();
    const names = [
      "a/b",
      "/",
      "a%2fb",
      "%2e",
      "%",
      "?",
      "#",
      "a?b=c#d",
      "...",
      "\\",
      "+",
      "a b",
      "&;=",
      "🌷",
      "é",
      "'\"<>",
    ];
    const { id } = await newLink(kurz, { tags: names });
    for (const [index, name] of names.entries()) {
      expect(await kurz.tags.update(name, { color: "red" })).toEqual(tagOf(name, { color: "red" }));
      expect((await kurz.tags.update(name, { name: `${name}${index}` })).name).toBe(`${name}${index}`);
      expect((await kurz.tags.update(`${name}${index}`, { name })).name).toBe(name);
    }
    expect(await tagsOf(kurz, id)).toEqual(names);
    for (const name of names) await kurz.tags.delete(name);
    expect((await kurz.tags.list()).data).toEqual([]);
  });

  test("can't get a name that no URL can have", async () => {
    const { kurz, token } = await api.newCaller();
    const { id } = await newLink(kurz, { tags: ["a"] });
    const refused = async (method: string, path: string, json: unknown) =>
      fieldErrorsOf(errorOf(await api.call({ method, path, token, json })));
    const destination_url = "https://example.com/";
    for (const name of [".", "..", " .. "]) {
      const tags = ["b", name];
      expect(await refused("POST", "/api/v1/links", { destination_url, tags })).toEqual(["body tags.1 invalid_format"]);
      expect(await refused("PATCH", `/api/v1/links/${id}`, { tags })).toEqual(["body tags.1 invalid_format"]);
      expect(await refused("POST", `/api/v1/links/${id}/tags`, { add: tags })).toEqual(["body add.1 invalid_format"]);
      expect(await refused("PATCH", `${PATH}/a`, { name })).toEqual(["body name invalid_format"]);
      // Links that were tagged by an earlier release can get rid of it.
      expect((await kurz.links.tags(id, { remove: [name] })).tags).toEqual(["a"]);
    }
  });

  test("whose request was cut off gets its new name all the same", async () => {
    const { kurz, account } = await api.newCaller();
    const { id } = await newLink(kurz, { tags: ["from", "other"] });
    changeRecords(
      api.server,
      "insert into tag_changes (account_no, tag, name, actor, via, started_at, after_no) " +
        "select no, 'from', 'To', 'operator', 'api', 0, 0 from accounts where id = ?",
      account,
    );
    await settled(kurz);
    expect(await kurz.links.get(id)).toMatchObject({ tags: ["To", "other"], version: 2 });
  });

  test("takes only what is declared", async () => {
    const { kurz, token } = await api.newCaller();
    await newLink(kurz, { tags: ["a"] });
    const refused = async (json: unknown) =>
      fieldErrorsOf(errorOf(await api.call({ method: "PATCH", path: `${PATH}/a`, token, json })));
    expect(await refused({ name: "" })).toEqual(["body name too_short"]);
    expect(await refused({ name: "x".repeat(51) })).toEqual(["body name too_long"]);
    expect(await refused({ name: null })).toEqual(["body name type"]);
    expect(await refused({ color: "mauve" })).toEqual(["body color not_in_enum"]);
    expect(await refused({ merge: true })).toEqual(["body name required"]);
    expect(await refused({ link_count: 3 })).toEqual(["body link_count read_only_field"]);
    expect(outcomeOf(await api.call({ path: `${PATH}/%20`, token }))).toBe("404 not_found");
  });
});
