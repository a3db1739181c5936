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
  connect: "No connection",
  tls: "No secure connection",
  timeout: "No answer in time",
  reset: "Connection broke off",
  protocol: "Answer not valid HTTP",
};

/** What came back, as in "Status 200" or "No answer in time". */
export const answerText = ({ status, problem }: Answer): string =>
  status === null ? (problems[problem ?? ""] ?? "No answer") : `Status ${status}`;

export const isSuccess = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300;
