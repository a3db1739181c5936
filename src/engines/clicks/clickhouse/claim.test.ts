import { expect, test } from "bun:test";
import { EXPIRED_MS, HELD_MS, RENEWED_MS, STEP_MS_MAX } from "./claim.ts";

test("a claim expires long after its holder has finished what it began", () => {
  // Renewing may itself take a step, and the server's clock may differ from the node's.
  expect(RENEWED_MS + STEP_MS_MAX).toBeLessThanOrEqual(HELD_MS);
  expect(HELD_MS + 2 * STEP_MS_MAX).toBeLessThanOrEqual(EXPIRED_MS / 2);
});
