import { Badge, type Tone } from "#console/ui/panel.tsx";
import type { DeliverySummary } from "#contract/console/webhooks.ts";

const states: Readonly<Record<DeliverySummary["state"], { readonly tone: Tone; readonly label: string }>> = {
  pending: { tone: "warn", label: "Pending" },
  delivered: { tone: "good", label: "Delivered" },
  failed: { tone: "bad", label: "Failed" },
};

export const stateLabel = (state: DeliverySummary["state"]): string => states[state].label;

export const DeliveryBadge = ({ state }: { readonly state: DeliverySummary["state"] }) => (
  <Badge tone={states[state].tone}>{states[state].label}</Badge>
);

interface Answer {
  readonly status: number | null;
  readonly problem: string | null;
}

const problems: Readonly<Record<string, string>> = {
  blocked_address: "Address not allowed",
  invalid_url: "Address not valid",
  dns: "Host name unknown",
  connect: "Couldn’t connect",
  tls: "No secure connection",
  timeout: "No answer in time",
  reset: "Connection broke off",
  protocol: "Answer not valid HTTP",
  skipped_demo: "Not sent: this is a demo",
};

const SECOND_MS = 1000;

/** As in "85 ms" or "2.4 s". */
export const formatDuration = (ms: number): string =>
  ms < SECOND_MS ? `${ms} ms` : `${(ms / SECOND_MS).toFixed(1)} s`;

/** To the second, so that deliveries of the same minute can be told apart. */
export const formatSecond = (instant: string): string =>
  new Date(instant).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" });

/** What came back, as in "Status 200" or "No answer in time". */
export const answerText = ({ status, problem }: Answer): string =>
  status === null ? (problems[problem ?? ""] ?? "No answer") : `Status ${status}`;

export const isSuccess = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300;
