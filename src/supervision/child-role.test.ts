import { expect, test } from "bun:test";
import { join } from "node:path";
import { until } from "#test/support/until.ts";
import { ChildLife, type Pong } from "./child-life.ts";

test("a process answers every ping, and reports at most once a second", async () => {
  const pongs: Pong[] = [];
  const life = new ChildLife({
    command: () => [process.execPath, join(import.meta.dir, "fixtures/reporting-child.ts")],
    silenceMsMax: 60_000,
    onReady() {},
    onPong: (pong) => pongs.push(pong),
    onDiskWait() {},
    onEnd() {},
  });
  const readAt = () => pongs.flatMap(({ report }) => report?.figures.kurz_start_time_seconds ?? []);
  await until("it has reported twice", () => readAt().length >= 2);
  await until("it has answered without a report", () => pongs.length > readAt().length);
  const [first = 0, second = 0] = readAt();
  expect(second - first).toBeGreaterThanOrEqual(1);
  life.stop();
  expect(await life.ended).toMatchObject({ code: 0 });
});
