import { describe, expect, test } from "bun:test";
import { ControlStart } from "./control-start.ts";

function newStart() {
  const state = { ms: 1000, isUp: false, questions: 0 };
  const start = new ControlStart({
    elapsed: () => state.ms,
    async isControlUp() {
      state.questions += 1;
      return state.isUp;
    },
  });
  return { state, start };
}

describe("a node that starts", () => {
  test("isn't ready until its control process is, and doesn't ask again after that", async () => {
    const { state, start } = newStart();
    expect(await start.isOver("records")).toBe(false);
    state.ms += 20_000;
    expect(await start.isOver("records")).toBe(false);
    state.isUp = true;
    expect(await start.isOver("records")).toBe(true);
    state.isUp = false;
    expect(await start.isOver("records")).toBe(true);
    expect(state.questions).toBe(3);
  });

  test("is ready after half a minute without control, since links come first", async () => {
    const { state, start } = newStart();
    for (state.ms = 1000; state.ms < 31_000; state.ms += 1000) expect(await start.isOver("records")).toBe(false);
    expect(await start.isOver("records")).toBe(true);
  });

  test("is ready if the records go away, without which control can't start, but not if they are late once", async () => {
    const { state, start } = newStart();
    expect(await start.isOver("known links")).toBe(false);
    state.ms += 4000;
    expect(await start.isOver("records")).toBe(false);
    state.ms += 4000;
    expect(await start.isOver("known links")).toBe(false);
    state.ms += 1000;
    expect(await start.isOver("known links")).toBe(true);
    expect(await start.isOver("records")).toBe(true);
  });
});
