import { afterEach, beforeEach, expect, test } from "bun:test";
import { join } from "node:path";
import type { Coordination } from "#engines/coordination/coordination.ts";
import type { Lease } from "#engines/coordination/leases.ts";
import { openTestNode, PATIENT_MS } from "#test/support/coordination-nodes.ts";
import { type RedisServer, startRedisServer } from "#test/support/redis-server.ts";
import { type StallingProxy, startStallingProxy } from "#test/support/stalling-proxy.ts";
import { until } from "#test/support/until.ts";

const LEASE_MS = 1500;
const HOLDER = join(import.meta.dir, "fixtures", "lease-holder.ts");

let server: RedisServer;
let proxy: StallingProxy;
const open: Coordination[] = [];

beforeEach(async () => {
  server = await startRedisServer();
  proxy = startStallingProxy(server.port);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((node) => node.close()));
  proxy.stop();
  await server.stop();
});

async function openLease(port: number): Promise<Lease> {
  // Only a connection that is cut has to be given up soon.
  const answerMsMax = port === proxy.port ? 300 : PATIENT_MS;
  const node = await openTestNode({ url: `redis://127.0.0.1:${port}` }, { leaseMs: LEASE_MS, answerMsMax });
  open.push(node);
  return node.lease("a job");
}

/** Looks all the time that never two of them hold the lease. */
async function untilHeld(lease: Lease, others: readonly Lease[]): Promise<void> {
  await until("the lease is held", () => {
    const isHeld = lease.isHeld();
    // In this order: the other one may lose it in between, but not get it.
    if (isHeld) expect(others.map((other) => other.isHeld())).not.toContain(true);
    return isHeld;
  });
}

/** For some time. On a busy machine a holder may lose the lease to another one, but never two have it. */
async function expectOneHolder(leases: readonly Lease[], ms: number): Promise<void> {
  const end = performance.now() + ms;
  while (performance.now() < end) {
    expect(leases.filter((lease) => lease.isHeld()).length).toBeLessThanOrEqual(1);
    await Bun.sleep(1);
  }
}

test("a holder that is cut off has lost its lease by its own clock before another one gets it", async () => {
  const cutOff = await openLease(proxy.port);
  await untilHeld(cutOff, []);
  const other = await openLease(server.port);
  proxy.stall();
  await untilHeld(other, [cutOff]);
  proxy.resume();
  // Back again, it waits like everyone else.
  await expectOneHolder([cutOff, other], 2 * LEASE_MS);
  await other.release();
  await untilHeld(cutOff, [other]);
});

test("a paused process does nothing after another one got the lease", async () => {
  const child = Bun.spawn(["bun", HOLDER, server.url, `${LEASE_MS}`], { stdout: "pipe", stdin: "ignore" });
  const steps: number[] = [];
  const reading = (async () => {
    for await (const chunk of child.stdout) {
      steps.push(...Buffer.from(chunk).toString().split("\n").filter(Boolean).map(Number));
    }
  })();
  try {
    await until("it works", () => steps.length > 3);
    const lease = await openLease(server.port);
    child.kill("SIGSTOP");
    let gotAt = 0;
    await until("the lease is held", () => {
      gotAt = Date.now();
      return lease.isHeld();
    });
    const before = steps.length;
    await until("the clock tells a later step from an earlier one", () => Date.now() > gotAt + 5);
    child.kill("SIGCONT");
    // As long as nobody could have taken the lease from this process, which may be late on a busy machine.
    let heldAt = gotAt;
    const end = performance.now() + LEASE_MS;
    while (performance.now() < end) {
      const at = Date.now();
      if (!lease.isHeld()) break;
      heldAt = at;
      await Bun.sleep(1);
    }
    expect(steps.filter((at) => at > gotAt && at <= heldAt)).toEqual([]);
    await lease.release();
    await until("it works again", () => steps.length > before + 3);
  } finally {
    child.kill("SIGKILL");
    await Promise.all([child.exited, reading]);
  }
});

test("a server that starts again empty gives a lease to nobody but its holder", async () => {
  const holder = await openLease(server.port);
  await untilHeld(holder, []);
  const others = [await openLease(server.port), await openLease(server.port)];
  await server.kill();
  await server.start();
  await expectOneHolder([holder, ...others], 3 * LEASE_MS);
  await until("one of them holds it", () => [holder, ...others].some((lease) => lease.isHeld()));
});

test("not even if the holder is cut off while the server starts again", async () => {
  const cutOff = await openLease(proxy.port);
  await untilHeld(cutOff, []);
  const other = await openLease(server.port);
  proxy.stall();
  await server.kill();
  await server.start();
  await untilHeld(other, [cutOff]);
});

test("while the server is away, nobody holds a lease for longer than it lasts", async () => {
  const lease = await openLease(server.port);
  await untilHeld(lease, []);
  await server.kill();
  await until("it is lost", () => !lease.isHeld());
  await server.start();
  await untilHeld(lease, []);
});
