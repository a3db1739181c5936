/** What a domain is lost by: another account's DNS record, or the operator's word. */
export type LossCause = "dns" | "operator";

/**
 * Why, in the words of `last_problem`, of the e-mail to the owners and of the console. The records only have the sentence:
 * in other words, the cause of earlier losses would no longer be known.
 */
export const lossReasons = (name: string): Readonly<Record<LossCause, string>> => ({
  dns: `Another account proved that it owns ${name}.`,
  operator: `The operator gave ${name} to another account.`,
});

/** What can be done about it. */
export const lossRemedies = (name: string): Readonly<Record<LossCause, string>> => ({
  dns: `If the domain is yours, add the TXT record again, remove any other one at _kurz.${name}, and verify the domain.`,
  operator: "If that is a mistake, ask the operator.",
});

/** What a later check found, without the reason; empty if there was none. */
export function problemSinceLoss(name: string, lastProblem: string): string {
  const cause = causeOfLoss(name, lastProblem);
  return cause === undefined ? lastProblem : lastProblem.slice(lossReasons(name)[cause].length).trim();
}

/** `last_problem` begins with the reason. */
export const causeOfLoss = (name: string, lastProblem: string | null): LossCause | undefined =>
  (["dns", "operator"] as const).find((cause) => lastProblem?.startsWith(lossReasons(name)[cause]));
