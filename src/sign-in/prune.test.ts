import { expect, test } from "bun:test";
import { createAccount } from "#accounts/new-account.ts";
import { createUser } from "#accounts/users.ts";
import { appendAudit } from "#audit/audit.service.ts";
import { openTestRecords } from "#test/support/test-records.ts";
import { pruneSignIn } from "./prune.ts";

const NOW = Date.UTC(2026, 5, 1);
const DAY_MS = 86_400_000;

test("expired rows are deleted in batches, and live ones stay", async () => {
  const { records, close } = openTestRecords();
  await records.write(async (tx) => {
    const userId = await createUser(tx, {
      email: "a@example.com",
      name: "A",
      passwordHash: "x",
      emailVerified: true,
      at: NOW,
    });
    await createAccount(tx, { name: "A", planId: "unlimited", ownerId: userId, actor: "operator", at: NOW });
    for (const [id, days] of [
      ["old", -1],
      ["older", -2],
      ["live", 1],
    ] as const) {
      const times = { created_at: "", updated_at: "", expires_at: new Date(NOW + days * DAY_MS).toISOString() };
      await tx
        .insertInto("sessions")
        .values({ id, user_id: userId, token: id, user_agent: null, ...times, sudo_until: null })
        .execute();
    }
    for (const days of [1, 89, 91]) {
      const entry = { at: NOW - days * DAY_MS, accountNo: null, actor: "visitor", subject: "unknown" };
      await appendAudit(tx, { ...entry, action: "session.refused" });
      await appendAudit(tx, { ...entry, action: "session.started" });
    }
  });
  const prune = () => records.write((tx) => pruneSignIn(tx, NOW, 1));
  expect([await prune(), await prune(), await prune()]).toEqual([2, 1, 0]);
  const sessions = await records.read.selectFrom("sessions").select("id").execute();
  expect(sessions.map(({ id }) => id)).toEqual(["live"]);
  const audit = await records.read.selectFrom("audit_log").select("no").where("account_no", "is", null).execute();
  expect(audit).toHaveLength(5);
  await close();
});
