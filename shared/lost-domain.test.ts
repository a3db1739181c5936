import { expect, test } from "bun:test";
import { causeOfLoss, lossReasons } from "./lost-domain.ts";

const NAME = "go.acme.example";

test("the cause of a loss is recognised by its reason, whatever later checks add", () => {
  for (const cause of ["dns", "operator"] as const) {
    const reason = lossReasons(NAME)[cause];
    expect(causeOfLoss(NAME, reason)).toBe(cause);
    expect(causeOfLoss(NAME, `${reason} There is no TXT record.`)).toBe(cause);
  }
  expect(causeOfLoss(NAME, null)).toBeUndefined();
  expect(causeOfLoss(NAME, "There is no TXT record.")).toBeUndefined();
});
