import { expect, test } from "bun:test";
import { causeOfLoss, lossReasons, problemSinceLoss } from "./lost-domain.ts";

const NAME = "go.acme.example";

test("the reasons are those that the records of earlier releases have", () => {
  const dns = "Another account proved that it owns go.acme.example.";
  const operator = "The operator gave go.acme.example to another account.";
  expect(lossReasons(NAME)).toEqual({ dns, operator });
  expect(causeOfLoss(NAME, dns)).toBe("dns");
  expect(causeOfLoss(NAME, operator)).toBe("operator");
});

test("the cause of a loss is recognised by its reason, whatever later checks add", () => {
  for (const cause of ["dns", "operator"] as const) {
    const reason = lossReasons(NAME)[cause];
    expect(causeOfLoss(NAME, reason)).toBe(cause);
    expect(causeOfLoss(NAME, `${reason} There is no TXT record.`)).toBe(cause);
  }
  expect(causeOfLoss(NAME, null)).toBeUndefined();
  expect(causeOfLoss(NAME, "There is no TXT record.")).toBeUndefined();
});

test("what a later check found is told apart from the reason", () => {
  for (const reason of Object.values(lossReasons(NAME))) {
    expect(problemSinceLoss(NAME, reason)).toBe("");
    expect(problemSinceLoss(NAME, `${reason} There is no TXT record.`)).toBe("There is no TXT record.");
  }
  expect(problemSinceLoss(NAME, "There is no TXT record.")).toBe("There is no TXT record.");
});
