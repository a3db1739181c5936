import { expect, test } from "bun:test";
import { EXPIRED_MS, HELD_MS, RENEWED_MS, STEP_MS_MAX } from "./claim.ts";
import { REWRITE_TIMEOUT_MS } from "./session.ts";

test("a claim expires long after its holder has finished what it began", () => {
  // A question may come just too early to renew it, and the server's clock may differ from the node's.
  expect(RENEWED_MS + 2 * STEP_MS_MAX).toBeLessThanOrEqual(HELD_MS);
  expect(HELD_MS + 2 * STEP_MS_MAX).toBeLessThanOrEqual(EXPIRED_MS / 2);
  // The deletion of aborted rows begins with a claim that is held.
  expect(HELD_MS + REWRITE_TIMEOUT_MS).toBeLessThan(EXPIRED_MS);
});
