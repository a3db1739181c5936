import { afterEach, beforeEach, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { writeArchive } from "#account-export/write-archive.ts";
import type { ArchivedLink, ArchivedVersion } from "#contract/account-archive.ts";
import type { Import } from "#contract/console/imports.ts";
import { type AccountLab, openAccountLab, recordsOf } from "#test/support/account-lab.ts";
import { createTestLink } from "#test/support/test-links.ts";

setDefaultTimeout(600_000);

let lab: AccountLab;
let link: ArchivedLink;
let history: readonly ArchivedVersion[];
beforeEach(async () => {
  lab = await openAccountLab();
  const { id } = await createTestLink(lab.links, lab.caller, { slug: "one" });
  for (const title of ["Second", "Third"]) await lab.links.update(lab.caller, id, { title }, null);
  const found = await recordsOf(await lab.download());
  [link] = found.links as [ArchivedLink];
  history = found.history;
});
afterEach(() => lab.close());

interface Part {
  readonly links: readonly object[];
  readonly history: readonly object[];
}

/** Imports an archive that anyone could have made. */
async function importForged(...parts: readonly Part[]): Promise<Import> {
  const pages = async function* () {
    for (const { links, history: versions } of parts) {
      yield {
        links: links as ArchivedLink[],
        history: async function* () {
          yield versions as ArchivedVersion[];
        },
      };
    }
  };
  const manifest = { created_at: link.created_at, account: { id: "acc_1", name: "Forged" }, domain: "s.example" };
  const bytes = await Array.fromAsync(writeArchive({ manifest, records: { links: pages } }));
  const file = join(lab.directory, `${crypto.randomUUID()}.tar.gz`);
  writeFileSync(file, Buffer.concat(bytes));
  return lab.import({ file, onConflict: "suffix" });
}

test("a forged link can't have an id, a version or a history that no link has", async () => {
  const [second, third] = history;
  const later = { ...third, version: link.version + 1 };
  const other = { ...second, link: "lnk_00000000000000000000000000" };
  const forged: readonly [Part, string][] = [
    [{ links: [{ ...link, id: "count" }], history: [] }, "check id"],
    [{ links: [{ ...link, id: `lnk_${"\0".repeat(26)}` }], history: [] }, "check id"],
    [{ links: [{ ...link, version: 0 }], history: [] }, "check version"],
    [{ links: [{ ...link, version: Number.MAX_SAFE_INTEGER }], history: [] }, "check version"],
    [{ links: [{ ...link, used_clicks: Number.MAX_SAFE_INTEGER }], history: [] }, "check used_clicks"],
    [{ links: [link], history: [second, second].filter((one) => one !== undefined) }, "isn't in order"],
    [{ links: [link], history: [third, second].filter((one) => one !== undefined) }, "isn't in order"],
    [{ links: [link], history: [later] }, "isn't in order"],
    [{ links: [link], history: [other] }, "isn't in order"],
  ];
  for (const [part, problem] of forged) {
    expect(await importForged(part)).toMatchObject({ state: "failed", problem: expect.stringContaining(problem) });
  }
});

test("names in a forged history have no control characters, and the link can be changed after it moved", async () => {
  const named = history.map((version) => ({ ...version, by: { type: "user", name: "a\0b\u001b[2J" } }));
  expect(await importForged({ links: [link], history: named })).toMatchObject({ state: "done", links: { created: 1 } });
  const { data } = await lab.links.list(lab.caller, {
    limit: 10,
    sort: "-created_at",
    tag: [],
    slug: "one-2",
  } as never);
  const [moved] = data;
  const versions = (await lab.links.history(lab.caller, moved?.id ?? "", { limit: 10 })).data;
  expect(versions.map(({ by }) => by?.name)).toEqual(["a b [2J", "a b [2J", null]);
  const updated = await lab.links.update(lab.caller, moved?.id ?? "", { title: "Fourth" }, null);
  expect(updated.version).toBe(link.version + 1);
});
