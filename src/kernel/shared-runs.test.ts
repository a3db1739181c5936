import { describe, expect, test } from "bun:test";
import { sharedRuns } from "./shared-runs.ts";

function stage() {
  const runs: PromiseWithResolvers<void>[] = [];
  const call = sharedRuns(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  return { runs, call };
}

describe("sharedRuns", () => {
  test("calls during a run share the next one, which starts after they were made", async () => {
    const { runs, call } = stage();
    const ended: string[] = [];
    const note = (name: string) => () => ended.push(name);
    const first = call().then(note("first"));
    const others = [call().then(note("second")), call().then(note("third"))];
    expect(runs).toHaveLength(1);
    runs[0]?.resolve();
    await first;
    await Bun.sleep(0);
    expect(runs).toHaveLength(2);
    expect(ended).toEqual(["first"]);
    const later = call().then(note("later"));
    runs[1]?.resolve();
    await Promise.all(others);
    expect(ended).toEqual(["first", "second", "third"]);
    await Bun.sleep(0);
    runs[2]?.resolve();
    await later;
    expect(runs).toHaveLength(3);
  });

  test("a failed run fails only those who waited for it", async () => {
    const { runs, call } = stage();
    const failed = call().catch(String);
    const second = call();
    runs[0]?.reject(new Error("away"));
    expect(await failed).toBe("Error: away");
    await Bun.sleep(0);
    runs[1]?.resolve();
    await second;
    const third = call();
    runs[2]?.resolve();
    await third;
  });
});
