import { afterEach, beforeEach, expect, test } from "bun:test";
import type { RedirectReader } from "#engines/records/redirect-reader.ts";
import { openSqliteRedirectReader } from "#engines/records/sqlite/redirect-reader.ts";
import { type LinkFile, openLinkFile } from "#test/support/link-file.ts";
import { ownKey } from "#test/support/own-key.ts";
import { createReopeningReader } from "./reopening-reader.ts";

let file: LinkFile;
let opened: number;
let closed: number;
let reader: RedirectReader;

beforeEach(() => {
  file = openLinkFile();
  file.add({ slug: "abc" });
  opened = 0;
  closed = 0;
});
afterEach(async () => {
  await reader.close();
  file.close();
});

/** Fails for one slug, as a statement that takes too long. */
function openOver(reconnects: boolean): void {
  const open = async (): Promise<RedirectReader> => {
    opened += 1;
    const records = openSqliteRedirectReader(file.path);
    return {
      ...records,
      reconnects,
      async find(slug) {
        if (slug === "slow") throw new Error("canceling statement due to statement timeout");
        return records.find(slug);
      },
      async close() {
        closed += 1;
        await records.close();
      },
    };
  };
  reader = createReopeningReader({ open, retryMs: 0 });
}

test("a file is opened again after a failure", async () => {
  openOver(false);
  await expect(reader.find(ownKey("slow"))).rejects.toThrow("timeout");
  expect(await reader.find(ownKey("abc"))).toMatchObject({ no: 1 });
  expect([opened, closed]).toEqual([2, 1]);
});

test("what reconnects by itself is kept: a statement that takes too long doesn't cost others their connections", async () => {
  openOver(true);
  await expect(reader.find(ownKey("slow"))).rejects.toThrow("timeout");
  expect(await reader.find(ownKey("abc"))).toMatchObject({ no: 1 });
  expect([opened, closed]).toEqual([1, 0]);
});
