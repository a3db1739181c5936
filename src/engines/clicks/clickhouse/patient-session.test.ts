import { afterAll, afterEach, expect, test } from "bun:test";
import { ClicksUnavailable } from "../clicks-engine.ts";
import { type Patience, patientSession } from "./patient-session.ts";
import { type ClickHouseSession, openSession } from "./session.ts";

const answers: (() => Response)[] = [];
const asked: string[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const body = Buffer.from(await request.arrayBuffer()).toString();
    asked.push(`${new URL(request.url).searchParams.get("query") ?? ""}${body}`);
    return (answers.shift() ?? (() => new Response("[1]\n")))();
  },
});
let session: ClickHouseSession | null = null;
afterEach(async () => {
  answers.length = 0;
  asked.length = 0;
  await session?.close();
});
afterAll(() => server.stop(true));

const exception = (code: number, name: string) => (): Response =>
  new Response(`Code: ${code}. DB::Exception: something happened. (${name}) (version 26.7.2.1 (official build))`, {
    status: 500,
    headers: { "X-ClickHouse-Exception-Code": String(code) },
  });
const isAway = exception(999, "KEEPER_EXCEPTION");
const isLate = exception(159, "TIMEOUT_EXCEEDED");

function open(patience: Patience = {}): ClickHouseSession {
  session = patientSession(openSession({ url: `http://127.0.0.1:${server.port}/kurz`, connectionsMax: 2 }), {
    firstWaitMs: 1,
    ...patience,
  });
  return session;
}

const failureOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error) => error,
  );

test("a server that is away or late for a moment is asked again, and the reasons are told", async () => {
  const problems: string[] = [];
  answers.push(isAway, isLate);
  expect(await open({ onWait: (problem) => problems.push(problem) }).rows("select 1")).toEqual([[1]]);
  expect(asked).toHaveLength(3);
  expect(problems).toEqual([expect.stringContaining("ClickHouse is unavailable"), "ClickHouse took too long."]);
});

test("what is sent again is the same, to the last byte", async () => {
  answers.push(isAway);
  await open().insert("insert into clicks format Parquet", Buffer.from("PAR1"));
  expect(asked).toEqual(Array(2).fill("insert into clicks format ParquetPAR1"));
});

test("a server that stays away ends it", async () => {
  answers.push(isAway, isAway, isAway);
  expect(await failureOf(open({ patienceMs: 0 }).run("truncate table clicks"))).toBeInstanceOf(ClicksUnavailable);
  expect(asked).toHaveLength(1);
});

test("neither a mistake nor a statement that took effect is repeated", async () => {
  for (const [code, name] of [
    [62, "SYNTAX_ERROR"],
    [341, "UNFINISHED"],
  ] as const) {
    asked.length = 0;
    answers.push(exception(code, name));
    expect(await failureOf(open().run("truncate table clicks"))).toBeInstanceOf(Error);
    expect(asked).toHaveLength(1);
    await session?.close();
  }
});
