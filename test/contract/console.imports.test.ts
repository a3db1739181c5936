import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { listAudit } from "#contract/console/account.ts";
import {
  cancelImport,
  getImport,
  type Import,
  importProblems,
  listImports,
  previewUpload,
  runImport,
  startImport,
  startUpload,
  UPLOAD_CHUNK_BYTES_MAX,
  undoImport,
  uploadChunk,
} from "#contract/console/imports.ts";
import { listLinks } from "#contract/links.ts";
import { type ConsoleClient, type ConsoleServer, outcomeOf, startConsole } from "#test/support/console-client.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

let site: ConsoleServer;
beforeAll(async () => {
  site = await startConsole({ KURZ_RATE_LIMIT_PER_MINUTE: "0" });
});
afterAll(() => site.stop());

async function upload(client: ConsoleClient, text: string): Promise<string> {
  const { id } = await client.do(startUpload);
  const bytes = Buffer.from(text);
  for (let offset = 0; offset < bytes.length; offset += UPLOAD_CHUNK_BYTES_MAX) {
    const data = bytes.subarray(offset, offset + UPLOAD_CHUNK_BYTES_MAX).toString("base64");
    await client.do(uploadChunk, { params: { id }, body: { offset, data } });
  }
  return id;
}

async function settled(client: ConsoleClient, id: string): Promise<Import> {
  let now: Import | undefined;
  await until("nothing is left to do", async () => {
    now = await client.do(getImport, { params: { id } });
    return !now.state.endsWith("ing");
  });
  return now as Import;
}

const CSV = "Keyword,Long URL,Name\nconsole-a,https://example.com/a,First\napi,https://example.com/b,\nbroken,,\n";

test("a file is uploaded, looked at, checked, imported and undone", async () => {
  const owner = await site.newOwner();
  const id = await upload(owner, CSV);
  const shown = await owner.do(previewUpload, { params: { id }, body: { columns: { title: "Name" } } });
  expect(shown).toMatchObject({
    columns: ["Keyword", "Long URL", "Name"],
    mapping: { slug: "Keyword", destination_url: "Long URL", title: "Name" },
    problem: null,
  });
  expect(shown.rows[0]).toEqual(["console-a", "https://example.com/a", "First"]);
  expect(shown.fields).toContain("expires_at");

  const begun = await owner.do(startImport, { body: { source: "csv", upload: id, tag: "moved" } });
  const checked = await settled(owner, begun.id);
  expect(checked).toMatchObject({
    state: "checked",
    read: { links: 2, unreadable: 1 },
    forecast: { created: 1, conflicts: 1 },
    links: { created: 0 },
  });
  const problems = await owner.call(importProblems, { params: { id: begun.id } });
  expect(problems.text).toContain("4,,,unreadable,The row has no destination.");
  expect(problems.text).toContain(",invalid_slug,");
  expect((await owner.do(listLinks)).data).toEqual([]);

  await owner.do(runImport, { params: { id: begun.id }, body: {} });
  expect(await settled(owner, begun.id)).toMatchObject({ state: "done", links: { created: 1, conflicts: 1 } });
  const { data } = await owner.do(listLinks);
  expect(data).toMatchObject([{ slug: "console-a", title: "First", tags: ["moved"], created_via: "import" }]);

  await owner.do(undoImport, { params: { id: begun.id } });
  expect(await settled(owner, begun.id)).toMatchObject({ state: "undone", erased_links: 1 });
  expect((await owner.do(listLinks)).data).toEqual([]);
  const { data: log } = await owner.do(listAudit, { query: { action: "import" } });
  expect(log.map(({ action }) => action)).toEqual(["import.undone", "import.started"]);
});

test("a part may be sent again, but none may be left out", async () => {
  const owner = await site.newOwner();
  const { id } = await owner.do(startUpload);
  const send = (offset: number, text: string) =>
    owner.call(uploadChunk, { params: { id }, body: { offset, data: Buffer.from(text).toString("base64") } });
  expect((await send(0, "slug,url\n")).body).toEqual({ bytes: 9 });
  expect((await send(0, "slug,url\n")).body).toEqual({ bytes: 9 });
  expect(outcomeOf(await send(10, "x"))).toBe("422 validation_failed");
  expect((await send(9, "x,https://example.com/\n")).body).toEqual({ bytes: 32 });
});

test("uploads and imports of another account don't exist", async () => {
  const [mine, other] = [await site.newOwner(), await site.newOwner()];
  const id = await upload(mine, CSV.replace("console-a", "console-b"));
  const begun = await mine.do(startImport, { body: { source: "csv", upload: id } });
  await settled(mine, begun.id);
  const missing = "404 not_found";
  const params = { id: begun.id };
  expect(outcomeOf(await other.call(getImport, { params }))).toBe(missing);
  expect(outcomeOf(await other.call(runImport, { params, body: {} }))).toBe(missing);
  expect(outcomeOf(await other.call(cancelImport, { params }))).toBe(missing);
  expect(outcomeOf(await other.call(undoImport, { params }))).toBe(missing);
  expect(outcomeOf(await other.call(importProblems, { params }))).toBe(missing);
  expect(outcomeOf(await other.call(previewUpload, { params: { id }, body: {} }))).toBe(missing);
  expect(outcomeOf(await other.call(uploadChunk, { params: { id }, body: { offset: 0, data: "" } }))).toBe(missing);
  expect(outcomeOf(await other.call(startImport, { body: { source: "csv", upload: id } }))).toBe(missing);
  expect((await other.do(listImports)).data).toEqual([]);
  expect((await mine.do(cancelImport, { params })).state).toBe("cancelled");
});

test("what an import lacks is said", async () => {
  const owner = await site.newOwner();
  const start = async (body: object) => outcomeOf(await owner.call(startImport, { body: body as never }));
  expect(await start({ source: "unknown" })).toBe("422 validation_failed");
  expect(await start({ source: "csv" })).toBe("422 validation_failed");
  expect(await start({ source: "constructor" })).toBe("422 validation_failed");
  const { sources } = await owner.do(listImports);
  expect(sources.map(({ name }) => name)).toContain("csv");
  const id = await upload(owner, "a,b\n1,2\n");
  const begun = await owner.do(startImport, { body: { source: "csv", upload: id } });
  expect((await settled(owner, begun.id)).problem).toContain("No column looks like the destination");
});
