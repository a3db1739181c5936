import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { archiveFileNames } from "#contract/account-archive.ts";
import type { Link } from "#contract/link-record.ts";
import { type AccountLab, openAccountLab } from "#test/support/account-lab.ts";
import { createTestLink } from "#test/support/test-links.ts";
import { newTestCaller } from "#test/support/test-records.ts";

setDefaultTimeout(600_000);

let lab: AccountLab;
let first: Link;
let second: Link;

beforeAll(async () => {
  lab = await openAccountLab();
  const { links, caller, tags, utmTemplates, domains, endpoints } = lab;
  first = await createTestLink(links, caller, {
    ...{
      slug: "first",
      title: "First",
      tags: ["Spring"],
      utm: { utm_source: "mail" },
      password: "open sesame",
      max_clicks: 7,
    },
    rules: [{ name: "ios", when: { os: ["iOS"] }, destination_url: "https://example.com/ios" }],
    metadata: { crm: "17" },
  });
  second = await createTestLink(links, caller, { slug: "second", external_id: "2" });
  const gone = await createTestLink(links, caller, { slug: "gone" });
  await links.update(caller, first.id, { title: "Primus" }, null);
  await links.act(caller, second.id, "pause", null);
  await links.act(caller, second.id, "archive", null);
  await tags.update(caller, "spring", { color: "green" });
  await utmTemplates.save(caller, { name: "Mail", utm: { utm_medium: "email" } });
  await domains.add(caller, "go.acme.example", { isVerified: true });
  await endpoints.create(caller, { url: "https://hooks.example/kurz", description: "CRM" });
  const at = Date.UTC(2026, 4, 1, 10, 20);
  await lab.click(first, [
    { at_ms: at, visitor: "00000000000000aa", country: "DE", source: "qr", utm_source: "mail", rule: "ios" },
    { at_ms: at + 60_000, visitor: "00000000000000aa", country: "DE", source: "qr", utm_source: "mail", rule: "ios" },
    { at_ms: at, bot: true },
  ]);
  await lab.click(gone, [{ at_ms: at }]);
  await links.moveToTrash(caller, gone.id, null);
  const other = await newTestCaller(lab.records);
  await createTestLink(links, other, { slug: "foreign" });
});
afterAll(() => lab.close());

/** Extracts an archive with the system's own tar. */
function extract(archive: Uint8Array): Record<string, string> {
  const directory = join(lab.directory, crypto.randomUUID());
  Bun.spawnSync(["mkdir", directory]);
  const { exitCode, stderr } = Bun.spawnSync(["tar", "-xzf", "-", "-C", directory], { stdin: archive });
  expect([exitCode, stderr.toString()]).toEqual([0, ""]);
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(directory.length + 1), readFileSync(path, "utf8")];
    }),
  );
}

test("an archive has all of an account, and any tar can read it", async () => {
  const files = extract(await lab.download());
  expect(Object.keys(files).toSorted()).toEqual(
    [...archiveFileNames.map((name) => `${name}/000001.ndjson`), "end.json", "manifest.json"].toSorted(),
  );
  expect(JSON.parse(files["manifest.json"] ?? "")).toMatchObject({
    ...{ format: "kurz-account", version: 1, domain: "s.example" },
    account: { id: lab.caller.accountId, name: "Test" },
  });
  expect(JSON.parse(files["end.json"] ?? "")).toEqual({
    records: { domains: 1, tags: 1, "utm-templates": 1, endpoints: 1, links: 2, history: 3, counts: 2 },
  });
  const linesOf = (name: string) =>
    (files[`${name}/000001.ndjson`] ?? "")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  const {
    short_url: _,
    expired,
    exhausted,
    scheduled,
    deleted_at,
    erases_at,
    ...shown
  } = await lab.links.get(lab.caller, first.id);
  expect(linesOf("links")).toEqual([
    { ...shown, state_before_archive: null, used_clicks: 0 },
    expect.objectContaining({ id: second.id, state: "archived", state_before_archive: "paused", external_id: "2" }),
  ]);
  expect(linesOf("history").map(({ link, version, action, by }) => [link, version, action, by])).toEqual([
    [first.id, 2, "updated", { type: "token", name: null }],
    [second.id, 2, "paused", { type: "token", name: null }],
    [second.id, 3, "archived", { type: "token", name: null }],
  ]);
  const quarter = "2026-05-01T10:15:00.000Z";
  expect(linesOf("counts").toSorted((a, b) => b.clicks - a.clicks)).toEqual([
    {
      ...{ link: first.id, at: quarter, clicks: 2, source: "qr", country: "DE", device: "desktop", utm_source: "mail" },
      ...{ rule: "ios", visitor: expect.stringMatching(/^[0-9a-f]{16}$/) },
    },
    { link: first.id, at: quarter, clicks: 1, bot: true, device: "desktop", visitor: null },
  ]);
  expect(linesOf("tags")).toEqual([{ name: "spring", color: "green" }]);
  expect(linesOf("utm-templates")).toEqual([{ name: "Mail", utm: { utm_medium: "email" } }]);
  expect(linesOf("domains")).toEqual([expect.objectContaining({ name: "go.acme.example", status: "verified" })]);
  expect(linesOf("endpoints")).toEqual([expect.objectContaining({ url: "https://hooks.example/kurz", enabled: true })]);
});

test("every field in an archive is documented, and every documented file is in one", async () => {
  const page = readFileSync(join(import.meta.dir, "../../docs/archive.md"), "utf8");
  const documented = new Map<string, Set<string>>();
  for (const section of page.split("\n## ").slice(1)) {
    const file = /^[\w.-]+/.exec(section)?.[0] ?? "";
    const fields = [...section.matchAll(/^\| `(\w+)` \|/gm)].map(([, name = ""]) => name);
    documented.set(file, new Set([...(documented.get(file) ?? []), ...fields]));
  }
  const found = new Set<string>();
  for (const [path, text] of Object.entries(extract(await lab.download()))) {
    const file = path.split("/", 1)[0] ?? "";
    found.add(file);
    const fields = text
      .trimEnd()
      .split("\n")
      .flatMap((line) => Object.keys(JSON.parse(line)));
    expect([file, [...new Set(fields)].filter((name) => !documented.get(file)?.has(name))]).toEqual([file, []]);
  }
  expect([...found].toSorted()).toEqual([...documented.keys()].toSorted());
});

test("an archive has no secret, no password, no visitor, and nothing of the trash or of others", async () => {
  const text = Object.values(extract(await lab.download())).join("");
  for (const secret of ["open sesame", "argon2", "whsec_", "kurz-verify", "00000000000000aa", "gone", "foreign"]) {
    expect(text).not.toContain(secret);
  }
  const visitors = async () => (await lab.archived()).counts.map((count) => ("visitor" in count ? count.visitor : ""));
  expect(await visitors()).not.toEqual(await visitors());
});

test("without endpoints, an archive says nothing about them", async () => {
  const { parts } = await lab.exporter.download(lab.caller, { withEndpoints: false });
  const files = extract(Buffer.concat(await Array.fromAsync(parts)));
  expect(Object.keys(files)).not.toContain("endpoints/000001.ndjson");
  expect(Object.values(files).join("")).not.toContain("hooks.example");
});

test("an export is in the audit log", async () => {
  const { fileName, parts } = await lab.exporter.download(lab.caller, { withEndpoints: false });
  await parts.return(undefined);
  expect(fileName).toMatch(/^kurz-export-acc_[0-9a-z]{26}-\d{4}-\d\d-\d\d\.tar\.gz$/);
  const entries = await lab.records.read
    .selectFrom("audit_log")
    .select(["actor", "subject"])
    .where("action", "=", "account.exported")
    .execute();
  expect(entries).toContainEqual({ actor: "token:test", subject: lab.caller.accountId });
});

test("histories are in the order of their links, even if a link changes often meanwhile", async () => {
  let now = Date.UTC(2026, 4, 2);
  const lab = await openAccountLab({ clock: () => now });
  const make = async (slug: string) => {
    const link = await createTestLink(lab.links, lab.caller, { slug });
    await lab.links.update(lab.caller, link.id, { title: "Second" }, null);
    return link;
  };
  const busy = await make("busy");
  now -= 1000;
  const older = await make("older");
  for await (const { links, history } of lab.links.archived(lab.caller.accountNo)) {
    expect(links.map(({ slug }) => slug)).toEqual(["older", "busy"]);
    for (let change = 0; change < 60; change += 1) {
      await lab.links.update(lab.caller, busy.id, { title: `Change ${change}` }, null);
    }
    const versions = (await Array.fromAsync(history())).flat();
    expect(versions.map(({ link, version }) => [link, version])).toEqual([
      [older.id, 2],
      [busy.id, 2],
    ]);
  }
  await lab.close();
});
