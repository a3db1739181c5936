import { Database } from "bun:sqlite";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { dataPaths } from "#config/data-paths.ts";
import type { Link } from "#contract/link-record.ts";
import { type KurzServer, startKurz } from "#test/support/kurz-server.ts";
import { type LinkApi, startKurzWithApi } from "#test/support/link-api.ts";
import { startLoad } from "#test/support/load.ts";
import { operatorOf } from "#test/support/operator.ts";
import { signalFirst } from "#test/support/process-table.ts";
import { until } from "#test/support/until.ts";
import { loopbackWebhooks, payloadOf, type Receiver, startReceiver } from "#test/support/webhook-receiver.ts";

const CYCLES = Number(process.env.RUNS ?? 20);
// The supervisor restarts a process that keeps dying ever more slowly; a new server begins without that delay.
const CYCLES_PER_SERVER = 5;
const EVENTS_MIN = 1000;
const LOOPS = 6;
const ANSWER_MS = 30;
const env = { KURZ_REDIRECT_PROCESSES: "1", KURZ_RATE_LIMIT_PER_MINUTE: "0", ...loopbackWebhooks };

const dataDir = mkdtempSync(join(tmpdir(), "kurz-webhooks-killed-"));
let kurz: KurzServer;
let api: LinkApi;
let receiver: Receiver;

beforeAll(async () => {
  receiver = startReceiver();
  receiver.answerWith(async () => {
    await Bun.sleep(ANSWER_MS);
    return new Response(null, { status: 204 });
  });
  const started = await startKurzWithApi({ dataDir, env });
  ({ kurz, api } = started);
  await operatorOf(kurz).newEndpoint(started.account, receiver.url);
}, 600_000);
afterAll(async () => {
  await kurz.stop();
  await receiver.stop();
  rmSync(dataDir, { recursive: true, force: true });
}, 600_000);

/** Read from the file, since the server is often down here. */
function countUndelivered(): number {
  const records = new Database(dataPaths(dataDir).records, { readonly: true });
  try {
    records.run("pragma busy_timeout = 5000");
    const row = records.query("select count(*) as count from webhook_deliveries where state <> 'delivered'").get();
    return (row as { count: number }).count;
  } finally {
    records.close();
  }
}

const acknowledged = new Set<string>();
async function createLink(): Promise<void> {
  const answer = await api.ask("POST", "/links", { destination_url: "https://example.com/" }).catch(() => null);
  if (answer?.status === 201) acknowledged.add(((await answer.json().catch(() => ({ id: "" }))) as Link).id);
  else await Bun.sleep(20);
}

test(`every event of a committed change arrives, and no other, over ${CYCLES} kills of control`, async () => {
  let mostInFlight = 0;
  for (let cycle = 0; cycle < CYCLES; ) {
    const load = startLoad(LOOPS, createLink);
    for (let kills = 0; kills < CYCLES_PER_SERVER && cycle < CYCLES; kills += 1, cycle += 1) {
      const hits = receiver.hits.length;
      await until("deliveries continue", () => receiver.hits.length >= hits + 20);
      mostInFlight = Math.max(mostInFlight, countUndelivered());
      signalFirst(kurz.processes("control"), "SIGKILL");
    }
    await load.stop();
    await kurz.stop();
    kurz = await startKurz({ dataDir, env, port: kurz.port });
  }
  const load = startLoad(LOOPS, createLink);
  await until("there are enough changes", () => acknowledged.size >= EVENTS_MIN);
  await load.stop();
  acknowledged.delete("");
  await until("everything is delivered", () => countUndelivered() === 0, 120_000);

  const committed = new Set((await api.list()).map(({ id }) => id));
  const deliveriesOf = new Map<string, Set<string>>();
  for (const hit of receiver.hits) {
    const { id } = payloadOf<{ data: { link: Link } }>(hit).data.link;
    deliveriesOf.set(id, (deliveriesOf.get(id) ?? new Set()).add(hit.delivery));
  }
  process.stderr.write(
    `${committed.size} changes, ${receiver.hits.length} hits, at most ${mostInFlight} in flight at a kill\n`,
  );
  expect([...acknowledged].filter((id) => !committed.has(id))).toEqual([]);
  expect([...committed].filter((id) => !deliveriesOf.has(id))).toEqual([]);
  expect([...deliveriesOf.keys()].filter((id) => !committed.has(id))).toEqual([]);
  expect([...deliveriesOf].filter(([, deliveries]) => deliveries.size !== 1)).toEqual([]);
  expect(committed.size).toBeGreaterThanOrEqual(EVENTS_MIN);
}, 600_000);
