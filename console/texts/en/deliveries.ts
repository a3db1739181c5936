import { plural } from "#console/ui/format.ts";
import type { DeliverySummary } from "#contract/console/webhooks.ts";

const states: Readonly<Record<DeliverySummary["state"], string>> = {
  pending: "Pending",
  delivered: "Delivered",
  failed: "Failed",
};

const problems: Readonly<Record<string, string>> = {
  blocked_address: "Address not allowed",
  invalid_url: "Invalid address",
  dns: "Host not found",
  connect: "Couldn’t connect",
  tls: "No secure connection",
  timeout: "Timed out",
  reset: "Connection lost",
  protocol: "Invalid HTTP response",
  skipped_demo: "Nothing leaves the demo",
};

/** The page of a webhook endpoint. */
export const deliveryTexts = {
  allEndpoints: "All endpoints",
  failingSince: (day: string) => `Failing since ${day}`,
  oldSecret:
    "The old secret also signs and {expires}. Until then, receivers must accept any of several {v1} signatures.",
  expires: (time: string) => `expires ${time}`,
  clicksDropped: (clicks: number) =>
    `${plural(clicks, "click")} ${clicks === 1 ? "wasn’t" : "weren’t"} sent because too many were waiting.`,
  sendTest: "Send test",
  testSent: "Test on its way. The result appears below.",
  switchOn: "Switch on",
  switchOff: "Switch off",
  switchedOff: "Endpoint switched off.",
  edit: "Edit",
  moreActions: "More actions",
  remove: {
    action: "Delete endpoint",
    question: "Delete this endpoint?",
    note: "This also deletes its secret, its pending deliveries and its log. You can’t undo this.",
  },
  enable: {
    title: "Switch endpoint on",
    unknown: "Pending deliveries",
    waiting: (deliveries: number) =>
      deliveries === 0 ? "No pending deliveries" : plural(deliveries, "pending delivery", "pending deliveries"),
    sendMissed: "Send missed events",
    sendMissedNote: "Right after it’s on. Events older than seven days aren’t sent.",
    startFresh: "Start with new events",
    startFreshNote: "Pending deliveries are dropped; you can still resend them from the log.",
  },
  recover: {
    action: "Resend failed deliveries",
    span: "Failed in",
    hint: "Each keeps its id, so receivers can ignore duplicates.",
    spans: { 1: "The last hour", 24: "The last 24 hours", 168: "The last 7 days", 720: "The last 30 days" },
    resend: "Resend",
    done: (deliveries: number) =>
      deliveries === 0 ? "Nothing failed in that time." : `Resending ${plural(deliveries, "delivery", "deliveries")}.`,
  },
  rotate: {
    action: "Rotate secret",
    newSecret: "New secret",
    oldSecret: "Old secret",
    keep: "Keep for 24 hours",
    keepNote:
      "Deliveries are signed with both while you update receivers, which must accept any of several v1 signatures.",
    end: "End now",
    endNote: "For leaked secrets. Receivers reject deliveries until they have the new one.",
  },
  log: {
    title: "Deliveries",
    note: "Kept for 30 days.",
    state: "State",
    event: "Event",
    anyOf: (label: string) => `${label}: all`,
    noMatch: "No matching deliveries",
    noMatchNote: "Try another state or event.",
    none: "Nothing sent yet",
    noneNote: "Deliveries appear here as they happen. Send a test to see one.",
  },
  states,
  /** In place of a state, if it wasn’t sent on purpose. */
  skipped: "Not sent",
  status: (code: number) => `Status ${code}`,
  problems,
  noResponse: "No response",
  notSent: "Not sent yet",
  attemptCount: (attempts: number) => plural(attempts, "attempt"),
  next: (time: string) => `next ${time}`,
  delivery: {
    title: "Delivery",
    resent: "Resent.",
    isOff: "Switch the endpoint on to resend it.",
    redeliver: "Redeliver",
    nextAttempt: (time: string) => `next attempt ${time}`,
    copyId: "Copy delivery id",
    attempts: "Attempts",
    payload: "Payload",
    manual: "manual",
    response: "Response",
    responseOf: (attempt: number) => `Response to attempt ${attempt}`,
  },
};
