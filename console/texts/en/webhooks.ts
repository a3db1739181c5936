import { plural } from "#console/ui/format.ts";
import type { RecentDelivery, WebhookEndpoint } from "#contract/console/webhooks.ts";
import type { ChosenEvent } from "#contract/webhooks.ts";

type DisabledBy = NonNullable<WebhookEndpoint["disabled_by"]>;
interface HealthTexts {
  readonly label: string;
  readonly note: string;
}

const disabled: Readonly<Record<DisabledBy, HealthTexts>> = {
  owner: { label: "Off", note: "Nothing is sent, and events aren’t kept in the meantime." },
  failing: {
    label: "Switched off",
    note: "It failed for five days, so nothing is sent anymore. Events of the last seven days are kept.",
  },
  gone: {
    label: "Switched off",
    note: "It responded with 410 Gone, so nothing is sent anymore. Events of the last seven days are kept.",
  },
};

const outcomes: Readonly<Record<RecentDelivery["outcome"], string>> = {
  delivered: "delivered",
  failed: "failed",
  retrying: "being retried",
  waiting: "waiting",
  skipped: "not sent",
};

const summaries: Readonly<Record<ChosenEvent, string>> = {
  "link.created": "A link was created",
  "link.updated": "A link was updated",
  "link.paused": "A link was paused",
  "link.resumed": "A link was resumed",
  "link.archived": "A link was archived",
  "link.unarchived": "A link was unarchived",
  "link.deleted": "A link was deleted: moved to the trash, or erased for good",
  "link.restored": "A deleted link was restored",
  "link.blocked": "The operator blocked a link",
  "link.unblocked": "The operator unblocked a link",
  "link.expired": "A link expired",
  "link.exhausted": "A link has no clicks left",
  "link.clicked": "People clicked on links (opt-in, batched)",
  "domain.verified": "A domain was verified",
  "domain.lost": "A domain went to another account; its links return 404",
};

export const webhookTexts = {
  /** As in "Webhooks are for admins". */
  webhooks: "Webhooks",
  title: "Webhook endpoints",
  note: "Send signed events to your servers when links change or are clicked. Failed deliveries are retried for three days.",
  none: "No endpoints yet",
  noneNote: "Add the URL of a server that should receive events.",
  add: "Add endpoint",
  added: (time: string) => `added ${time}`,
  failingSince: (day: string) => `failing since ${day}`,
  events: {
    all: "All events",
    changes: "Every change",
    some: (count: number) => plural(count, "event"),
  },
  health: {
    disabled,
    exhausted: {
      label: "Retries exhausted",
      note: "Some deliveries failed ten times and won’t be retried. After five days without a success the endpoint is switched off.",
    },
    failing: "Failing",
    healthy: "Healthy",
    none: "No deliveries yet",
    onlyFailed: "The only delivery so far failed.",
    lastFailed: "The last delivery failed.",
    someFailed: (failed: string, tried: string) => `${failed} of the last ${tried} deliveries failed.`,
    retried: "Failed deliveries are retried for three days.",
    notRetried: "Tests and manual attempts aren’t retried.",
  },
  outcomes,
  outcomeCount: (count: string, outcome: string) => `${count} ${outcome}`,
  outcomeAt: (outcome: string, time: string) => `${outcome}, ${time}`,
  history: (deliveries: number, counts: string) =>
    deliveries === 1 ? `Last delivery: ${counts}` : `Last ${plural(deliveries, "delivery", "deliveries")}: ${counts}`,
  form: {
    add: "Add endpoint",
    edit: "Edit endpoint",
    save: "Save",
    secretTitle: "The endpoint’s secret",
    address: "Address",
    addressHint: "Receives a POST request with JSON for each event.",
    description: "Description",
    optional: "optional",
    events: "Events",
    noEvents: "Choose at least one event.",
    everyChange: "Every change",
    withClicks: "Changes and clicks",
    noneChosen: "None",
    groups: { links: "Links", states: "States", clicks: "Clicks", domains: "Domains" },
    summaries,
  },
  secret: {
    copyNow: "Copy it now: it won’t be shown again. Receivers use it to check that a delivery really comes from here.",
    label: "Signing secret",
    check: "Verify a delivery",
    example: "Verification example",
    saved: "I’ve saved it",
  },
};
