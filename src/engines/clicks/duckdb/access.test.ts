import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nextTurn } from "#kernel/next-turn.ts";
import { ClicksUnavailable } from "../clicks-engine.ts";
import { DuckDbAccess } from "./access.ts";

let directory: string;
let access: DuckDbAccess;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-access-"));
  access = new DuckDbAccess({
    path: join(directory, "clicks.duckdb"),
    batchDirectory: directory,
    memoryMb: 128,
    checkpointMb: 16,
    reportThreads: 1,
    reportsMax: 1,
    reportTimeoutMs: 30_000,
  });
});
afterEach(async () => {
  await access.close();
  rmSync(directory, { recursive: true });
});

test("background work gives way to reopening after a writer's fatal error", async () => {
  const begun = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<void>();
  const background = access.background(async (_, withoutWriters) => {
    begun.resolve();
    await failed.promise;
    return withoutWriters(async () => expect.unreachable());
  });
  await begun.promise;
  const fatal = access.exclusive(() => Promise.reject(new Error("FATAL Error: no space left")));
  await expect(fatal).rejects.toThrow(ClicksUnavailable);
  failed.resolve();
  await expect(background).rejects.toThrow(ClicksUnavailable);
  expect(await access.write((session) => session.rows("select 1"))).toEqual([[1]]);
});

test("it also gives way if another writer ahead of it waits for the reopening", async () => {
  const begun = Promise.withResolvers<void>();
  const queued = Promise.withResolvers<void>();
  const background = access.background((_, withoutWriters) => {
    begun.resolve();
    return queued.promise.then(() => withoutWriters(async () => expect.unreachable()));
  });
  await begun.promise;
  const broken = Promise.withResolvers<never>();
  const fatal = access.exclusive(() => broken.promise);
  const next = access.write((session) => session.rows("select 1"));
  queued.resolve();
  await nextTurn();
  broken.reject(new Error("FATAL Error: no space left"));
  const [ofFatal, ofBackground, ofNext] = await Promise.allSettled([fatal, background, next]);
  expect([ofFatal.status, ofBackground.status]).toEqual(["rejected", "rejected"]);
  expect(ofNext).toEqual({ status: "fulfilled", value: [[1]] });
});
