import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Records } from "#engines/records/records.ts";
import { migrateSqlite } from "#engines/records/sqlite/migrate.ts";
import { openSqliteRecords, type SqliteRecordsOptions } from "#engines/records/sqlite/sqlite-records.ts";
import type { Caller } from "#kernel/caller.ts";
import { newId } from "#kernel/ids.ts";
import type { Plan } from "#kernel/plan.ts";

export interface TestRecords {
  readonly records: Records;
  readonly path: string;
  close(): Promise<void>;
}

// Small, so that tests with few links search both indexed links and those not indexed yet.
const TEXT_BATCH = 16;

/** A real engine on its own file. */
export function openTestRecords(options: Pick<SqliteRecordsOptions, "onActionError"> = {}): TestRecords {
  const directory = mkdtempSync(join(tmpdir(), "kurz-test-"));
  const path = join(directory, "records.db");
  migrateSqlite(path);
  const records = openSqliteRecords({ path, textBatch: TEXT_BATCH, ...options });
  return {
    records,
    path,
    async close() {
      await records.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const unlimited: Plan = {
  id: "unlimited",
  api_access: true,
  active_links: null,
  webhook_endpoints: null,
  domains: null,
  api_tokens: 50,
  rules_per_link: null,
};

/** A new account for a test, as its caller sees it. */
export async function newTestCaller(records: Records, plan: Partial<Plan> = {}): Promise<Caller> {
  const id = newId("acc");
  const { no } = await records.write((tx) =>
    tx
      .insertInto("accounts")
      .values({
        id,
        name: "Test",
        slug: id,
        logo: null,
        metadata: null,
        created_at: new Date().toISOString(),
        plan_id: "unlimited",
        suspended_at: null,
      })
      .returning("no")
      .executeTakeFirstOrThrow(),
  );
  return { accountNo: no, accountId: id, plan: { ...unlimited, ...plan }, actor: "token:test", via: "api" };
}
