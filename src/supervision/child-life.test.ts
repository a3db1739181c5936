import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "#test/support/until.ts";
import { ChildLife } from "./child-life.ts";

const SILENCE_MS_MAX = 1000;
const PATIENCE_MS = 50_000;

const firstCore = (): string =>
  /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync("/proc/self/status", "utf8"))?.[1] ?? "0";

test("a process that gets no core isn't taken for a hung one", async () => {
  const answersMs: number[] = [];
  const starved = join(import.meta.dir, "fixtures/starved-child.ts");
  const life = new ChildLife({
    command: () => ["taskset", "-c", firstCore(), process.execPath, starved],
    silenceMsMax: SILENCE_MS_MAX,
    onReady() {},
    onPong: (_, afterMs) => answersMs.push(afterMs),
    onDiskWait() {},
    onEnd() {},
  });
  const ended = life.ended.then(() => "ended");
  const answered = until("it answers", () => answersMs.length > 0, PATIENCE_MS).then(() => "answered");
  expect(await Promise.race([answered, ended])).toBe("answered");
  expect(answersMs[0]).toBeGreaterThan(2 * SILENCE_MS_MAX);
  life.stop();
  expect(await life.ended).toMatchObject({ code: 0, error: undefined });
});
