import { expect, test } from "bun:test";
import { DAY_MS } from "../slots.ts";
import { STEP_MS_MAX } from "./claim.ts";
import { compactDays } from "./compaction.ts";
import type { ClickHouseSession, Row, StatementOptions } from "./session.ts";

const CLICKS = 1000;
const BEFORE_DAY = 10;

/** A server with one day left from an interrupted run and two more to compact, on which only long steps take time. */
function slowServer() {
  const asked: string[] = [];
  const counted: number[] = [];
  const tables = { clicks: [8, 9], expiring_clicks: [7] };
  const steps = { sinceAsked: 0, most: 0 };
  const note = (sql: string, timeoutMs = 0): void => {
    asked.push(sql);
    if (timeoutMs > STEP_MS_MAX) throw new Error(`takes too long: ${sql}`);
    if (timeoutMs < STEP_MS_MAX) return;
    steps.sinceAsked += 1;
    steps.most = Math.max(steps.most, steps.sinceAsked);
  };
  const answerTo = (sql: string): readonly Row[] => {
    const days = /^select distinct .* from (clicks|expiring_clicks) where at_ms < (\d+)/.exec(sql);
    if (days) {
      expect(days[2]).toBe(String(BEFORE_DAY * DAY_MS));
      return tables[days[1] as keyof typeof tables].map((day) => [day]);
    }
    if (sql.startsWith("select run, day from compactions")) return counted.splice(0).map((day) => [1, day]);
    if (sql.startsWith("select sum(clicks)")) return [[CLICKS]];
    if (sql.startsWith("select count() from clicks ")) return [[CLICKS]];
    return [[0]];
  };
  const session: Partial<ClickHouseSession> = {
    async run(sql: string, { timeoutMs }: StatementOptions = {}) {
      note(sql, timeoutMs);
      const [, day] = /^insert into compactions values \(\d+, (\d+), 'counted'\)/.exec(sql) ?? [];
      if (day !== undefined) counted.push(Number(day));
    },
    async rows(sql: string, { timeoutMs }: StatementOptions = {}) {
      note(sql, timeoutMs);
      return answerTo(sql);
    },
  };
  return { session: session as ClickHouseSession, asked, steps };
}

test("however long each step takes, the claim can be renewed in time", async () => {
  const { session, asked, steps } = slowServer();
  const mayGoOn = async () => {
    steps.sinceAsked = 0;
    return true;
  };
  await compactDays({ session, mayGoOn }, BEFORE_DAY);
  const dropped = asked.flatMap((sql) => /^alter table expiring_clicks drop partition (\d+)/.exec(sql)?.[1] ?? []);
  expect(dropped).toEqual(["7", "8", "9"]);
  // A claim lasts for two of them after the question that came just too early to renew it.
  expect(steps.most).toBe(2);
});

test("whoever loses the claim before a day is counted leaves no counts behind", async () => {
  const { session, asked } = slowServer();
  const mayGoOn = async () => !asked.some((sql) => sql.startsWith("alter table clicks move partition 8"));
  await compactDays({ session, mayGoOn }, BEFORE_DAY);
  const last = asked.slice(asked.findIndex((sql) => sql.startsWith("alter table clicks move partition 8")) + 1);
  expect(last.filter((sql) => !sql.startsWith("select "))).toEqual([]);
});
