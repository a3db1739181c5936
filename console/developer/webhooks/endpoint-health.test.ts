import { expect, test } from "bun:test";
import type { RecentDelivery, WebhookEndpoint } from "#contract/console/webhooks.ts";
import { healthOf } from "./endpoint-health.ts";
import { historyText } from "./history-text.ts";

const at = "2026-01-02T03:04:05.678Z";

/** Newest first. */
const recentOf = (outcomes: readonly RecentDelivery["outcome"][]): RecentDelivery[] =>
  outcomes.map((outcome, index) => ({ id: `dlv_${index}`, outcome, at }));

const endpoint = (outcomes: readonly RecentDelivery["outcome"][], more: Partial<WebhookEndpoint> = {}) => ({
  id: "we_1",
  url: "https://example.com/",
  description: null,
  events: [],
  enabled: true,
  disabled_by: null,
  disabled_at: null,
  failing_since: null,
  exhausted_at: null,
  clicks_dropped: 0,
  old_secret_until: null,
  recent: recentOf(outcomes),
  created_at: at,
  updated_at: at,
  ...more,
});

test.each([
  [[], "No deliveries yet", null],
  [["waiting"], "No deliveries yet", null],
  [["skipped"], "No deliveries yet", null],
  [["delivered"], "Healthy", null],
  [["failed"], "Failing", "The only delivery so far failed. Tests and manual attempts aren’t retried."],
  [["retrying"], "Failing", "The only delivery so far failed. Failed deliveries are retried for three days."],
  [["waiting", "delivered", "failed"], "Healthy", "1 of the last 2 deliveries failed."],
  [
    ["failed", "delivered", "delivered"],
    "Failing",
    "1 of the last 3 deliveries failed. Tests and manual attempts aren’t retried.",
  ],
] as const)("after %j an endpoint is called %p", (outcomes, label, note) => {
  expect(healthOf(endpoint(outcomes))).toMatchObject({ label, note });
});

test("an endpoint that is off says why, whatever it delivered before", () => {
  const off = healthOf(endpoint(["delivered"], { enabled: false, disabled_by: "gone" }));
  expect([off.tone, off.label]).toEqual(["bad", "Switched off"]);
});

test("an endpoint says when deliveries won't be retried any more", () => {
  const exhausted = healthOf(endpoint(["delivered", "failed"], { exhausted_at: at }));
  expect([exhausted.tone, exhausted.label]).toEqual(["bad", "Retries exhausted"]);
});

test("the history is told in words, too", () => {
  expect(historyText(recentOf(["delivered", "retrying", "failed", "waiting", "delivered"]))).toBe(
    "Last 5 deliveries: 2 delivered, 1 failed, 1 being retried, 1 waiting",
  );
  expect(historyText(recentOf(["skipped"]))).toBe("Last delivery: 1 not sent");
});
