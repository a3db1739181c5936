import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { killAndReplace } from "#test/support/killed-process.ts";
import { startKurzWithApi } from "#test/support/link-api.ts";
import { until } from "#test/support/until.ts";

setDefaultTimeout(600_000);

const ROUNDS = Number(process.env.RUNS ?? 5);
const OPERATIONS = 1000;

const { kurz, api } = await startKurzWithApi({ env: { KURZ_RATE_LIMIT_PER_MINUTE: "0" } });
afterAll(async () => {
  await kurz.stop();
});

const countOf = async (tag: string): Promise<number> =>
  ((await (await api.ask("GET", `/links/count?tag=${tag}`)).json()) as { count: number }).count;

const bodyOf = (tag: string, atomic: boolean) => ({
  operations: Array.from({ length: OPERATIONS }, () => ({
    op: "create",
    link: { destination_url: "https://example.com/", tags: [tag] },
  })),
  atomic,
});

/** The status, or that there was no answer. */
const send = (tag: string, atomic: boolean, key: string): Promise<number | null> =>
  api.ask("POST", "/links/bulk", bodyOf(tag, atomic), { "idempotency-key": key }).then(
    ({ status }) => status,
    () => null,
  );

/** Until an answer says what became of it; the same key never runs anything twice. */
async function sendAgain(tag: string, atomic: boolean, key: string): Promise<void> {
  const statuses: (number | null)[] = [];
  await until("it is answered", async () => {
    const status = await send(tag, atomic, key);
    statuses.push(status);
    return status !== null && status < 500;
  });
  expect(statuses.at(-1)).toBe(200);
}

/** Takes longer from round to round, so that the kill hits before, during and after the transaction. */
async function lookOften(tag: string, round: number): Promise<void> {
  for (let asked = 0; asked < round * 8; asked += 1) await countOf(tag);
}

test("all or nothing holds for a server that is killed meanwhile", async () => {
  const counts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const tag = `atomic-${round}`;
    const sent = send(tag, true, tag);
    await lookOften(tag, round);
    await Promise.all([killAndReplace(kurz, "control"), sent]);
    const count = await countOf(tag);
    counts.push(count);
    expect([0, OPERATIONS]).toContain(count);
    await sendAgain(tag, true, tag);
    expect(await countOf(tag)).toBe(OPERATIONS);
  }
  process.stderr.write(`links after each kill: ${counts.join(", ")}\n`);
});

test("a retry with the same key goes on where the server was killed, and doubles nothing", async () => {
  const counts: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const tag = `each-${round}`;
    const sent = send(tag, false, tag);
    if (round % 2 === 0) await until("some are done", async () => (await countOf(tag)) > 0);
    else await lookOften(tag, round);
    await Promise.all([killAndReplace(kurz, "control"), sent]);
    counts.push(await countOf(tag));
    await sendAgain(tag, false, tag);
    expect(await countOf(tag)).toBe(OPERATIONS);
  }
  process.stderr.write(`links after each kill: ${counts.join(", ")}\n`);
});
