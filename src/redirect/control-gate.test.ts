import { afterEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "#test/support/until.ts";
import { ControlGate } from "./control-gate.ts";

const directory = mkdtempSync(join(tmpdir(), "kurz-gate-"));
const socketPath = join(directory, "control.sock");
const servers: Bun.Server<undefined>[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(true)));
  rmSync(socketPath, { force: true });
});

function startControl(): Bun.Server<undefined> {
  rmSync(socketPath, { force: true });
  const server = Bun.serve({ unix: socketPath, fetch: () => new Response("ok\n") });
  servers.push(server);
  return server;
}

const isOpenNow = (opening: Promise<void> | undefined): Promise<boolean> =>
  opening === undefined
    ? Promise.resolve(true)
    : Promise.race([opening.then(() => true), Bun.sleep(0).then(() => false)]);

test("nothing waits unless control changes over", () => {
  startControl();
  expect(new ControlGate(socketPath).opening).toBeUndefined();
});

test("calls wait for another control than the one that was there", async () => {
  const before = startControl();
  const gate = new ControlGate(socketPath);
  await gate.closeUntilReplaced();
  const waiting = gate.opening;
  // The one before answers until it has stopped, and must not be taken for its successor.
  for (let no = 0; no < 5; no += 1)
    expect((await fetch("http://localhost/readyz", { unix: socketPath })).ok).toBe(true);
  expect(await isOpenNow(waiting)).toBe(false);
  await before.stop();
  expect(await isOpenNow(waiting)).toBe(false);
  startControl();
  await waiting;
  await until("the gate is open", () => gate.opening === undefined);
});

test("calls wait for the first control, too", async () => {
  const gate = new ControlGate(socketPath);
  gate.closeUntilUp();
  expect(await isOpenNow(gate.opening)).toBe(false);
  const waiting = gate.opening;
  startControl();
  await waiting;
});

test("control may stop once the calls that are on their way are answered", async () => {
  startControl();
  const gate = new ControlGate(socketPath);
  const [arrive, another] = [gate.depart(), gate.depart()];
  // An answer counts once, also if it is told twice.
  another();
  another();
  let mayStop = false;
  const closed = gate.closeUntilReplaced().then(() => {
    mayStop = true;
  });
  for (let no = 0; no < 5; no += 1) await fetch("http://localhost/readyz", { unix: socketPath });
  expect(mayStop).toBe(false);
  arrive();
  await closed;
});

test("a call waits no longer than its signal allows, and doesn't count as on its way", async () => {
  const gate = new ControlGate(socketPath);
  gate.closeUntilUp();
  await expect(gate.enter(AbortSignal.timeout(1))).rejects.toThrow("timed out");
  await expect(gate.enter(AbortSignal.abort(new Error("the client has left")))).rejects.toThrow("the client has left");
  startControl();
  const entered = gate.enter(new AbortController().signal);
  const arrive = await entered;
  arrive();
  await gate.closeUntilReplaced();
});
