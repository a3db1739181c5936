import { expect, test } from "bun:test";
import { BatchLog } from "./batches.ts";
import { layoutOf } from "./layout.ts";
import type { ClickHouseSession } from "./session.ts";

/** Runs the removal while the claim is lost after so many deletions; returns the statements that change something. */
async function removeUntil(deletionsMax: number): Promise<readonly string[]> {
  const changes: string[] = [];
  const session: Partial<ClickHouseSession> = {
    run: async (sql: string) => void changes.push(sql.replace(/ (?:where|select) .*/s, "")),
    rows: async () => [["gone", [1, 2]]],
  };
  const log = new BatchLog(session as ClickHouseSession, "node", layoutOf(null));
  await log.removeAborted(async () => changes.length < deletionsMax);
  return changes;
}

test("rows of aborted batches are only deleted, and noted as removed, while no other node may move them", async () => {
  expect(await removeUntil(0)).toEqual([]);
  expect(await removeUntil(1)).toEqual(["delete from clicks"]);
  const all = ["delete from clicks", "delete from expiring_clicks", "insert into batches (node, batch, state)"];
  expect(await removeUntil(2)).toEqual(all);
});
