import { afterEach, expect, test } from "bun:test";
import type { Order } from "./fixtures/calls-worker.ts";
import { openWorkerCalls, type WorkerCalls } from "./worker-calls.ts";

class WorkerDied extends Error {}

type Echo = { readonly text: string; readonly answered: number };

const module = new URL("./fixtures/calls-worker.ts", import.meta.url);
const open = (idleMsMax?: number): WorkerCalls<Order, Echo> =>
  openWorkerCalls({
    module,
    failure: (message) => new WorkerDied(message),
    ...(idleMsMax === undefined ? {} : { idleMsMax }),
  });
let calls: WorkerCalls<Order, Echo>;

afterEach(() => calls.stop());

test("each call gets its own answer", async () => {
  calls = open();
  const answers = Promise.all(["a", "b", "c"].map((echo) => calls.call({ echo })));
  expect(calls.pending).toBe(3);
  expect((await answers).map(({ text }) => text)).toEqual(["a", "b", "c"]);
  expect(calls.pending).toBe(0);
});

test("a call that throws fails alone", async () => {
  calls = open();
  const [failed, next] = [calls.call({ fail: "no" }), calls.call({ echo: "yes" })];
  await expect(failed).rejects.toThrow("no");
  expect((await next).text).toBe("yes");
});

test("a request that can't be cloned fails alone", async () => {
  calls = open();
  const order = { echo: () => {} } as unknown as Order;
  const [failed, next] = [calls.call(order), calls.call({ echo: "yes" })];
  await expect(failed).rejects.toThrow("cloned");
  expect((await next).text).toBe("yes");
  expect(calls.pending).toBe(0);
});

test("a worker that dies fails what is pending, and the next call starts another", async () => {
  calls = open();
  await calls.call({ echo: "first" });
  const pending = [calls.call("hang"), calls.call({ die: "the worker threw" })];
  const failures = await Promise.all(pending.map((call) => call.catch((error: unknown) => error)));
  expect(failures.map((error) => error instanceof WorkerDied)).toEqual([true, true]);
  expect(await calls.call({ echo: "second" })).toEqual({ text: "second", answered: 1 });
});

test("a stop fails what is pending", async () => {
  calls = open();
  const pending = calls.call("hang");
  const stopped = calls.stop();
  await expect(pending).rejects.toThrow(WorkerDied);
  await stopped;
});

test("an idle worker is stopped and started again when it is needed", async () => {
  calls = open(1);
  let last = await calls.call({ echo: "first" });
  expect(last.answered).toBe(1);
  // A new worker counts from one again.
  do {
    await Bun.sleep(2);
    last = await calls.call({ echo: "again" });
  } while (last.answered > 1);
  expect(last.text).toBe("again");
});
