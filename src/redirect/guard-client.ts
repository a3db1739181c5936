import { gate } from "#kernel/gate.ts";
import { NamedQueues } from "#kernel/named-queues.ts";
import type { GuardAnswer, GuardQuestion } from "#visits/link-guard.ts";
import type { ControlGate } from "./control-gate.ts";

// Visitors with a password wait for a hash; those who only use up a click must not wait for them.
const PASSWORDS_AT_ONCE = 32;
const PASSWORDS_WAITING_MAX = 64;
const PASSWORD_MS_MAX = 10_000;
const CLICKS_AT_ONCE = 64;
// Control takes the clicks of a link one by one: those of a popular link must not hold all places.
const CLICKS_OF_LINK_AT_ONCE = 16;
const CLICKS_WAITING_MAX = 1024;
const CLICK_MS_MAX = 5000;
// Bots and forms can do without an answer, and must not be in the way of those who can't.
const LOOKS_AT_ONCE = 16;
const LOOKS_WAITING_MAX = 64;
const LOOK_MS_MAX = 1000;
// While control changes over, which takes a second or two; as long as calls of the API wait.
const CHANGEOVER_MS_MAX = 30_000;

const refusal = (): Error => new Error("too many visitors of guarded links are waiting");

/** Asks control, which has the only counter. Rejects if there is no answer: then nobody knows whether to redirect. */
export function guardClient(
  socketPath: string,
  changeover?: Pick<ControlGate, "enter">,
): (question: GuardQuestion) => Promise<GuardAnswer> {
  const passwords = gate(PASSWORDS_AT_ONCE, {
    waitingMax: PASSWORDS_WAITING_MAX,
    waitMsMax: PASSWORD_MS_MAX,
    refusal,
  });
  // Control checks those of a network one by one, so more would only hold places that others need.
  const passwordsOf = new NamedQueues({ waitingMax: PASSWORDS_WAITING_MAX, waitMsMax: PASSWORD_MS_MAX, refusal });
  const clicks = gate(CLICKS_AT_ONCE, { waitingMax: CLICKS_WAITING_MAX, waitMsMax: CLICK_MS_MAX, refusal });
  const clicksOf = new NamedQueues({
    runningMax: CLICKS_OF_LINK_AT_ONCE,
    waitingMax: CLICKS_WAITING_MAX,
    waitMsMax: CLICK_MS_MAX,
    refusal,
  });
  const looks = gate(LOOKS_AT_ONCE, { waitingMax: LOOKS_WAITING_MAX, waitMsMax: LOOK_MS_MAX, refusal });

  const ask = async (question: GuardQuestion, msMax: number): Promise<GuardAnswer> => {
    const patienceMs = msMax === LOOK_MS_MAX ? msMax : CHANGEOVER_MS_MAX;
    const arrive = await changeover?.enter(AbortSignal.timeout(patienceMs));
    const response = await fetch("http://localhost/", {
      unix: socketPath,
      method: "POST",
      body: JSON.stringify(question),
      signal: AbortSignal.timeout(msMax),
    })
      .catch((error: unknown) => {
        throw new Error("control doesn't answer whether a visitor may open a guarded link", { cause: error });
      })
      .finally(arrive);
    if (!response.ok) throw new Error("control can't decide whether a visitor may open a guarded link");
    return (await response.json()) as GuardAnswer;
  };

  return (question) => {
    const { linkNo, network, password, usesClick } = question;
    if (password !== null) return passwordsOf.run(network, () => passwords(() => ask(question, PASSWORD_MS_MAX)));
    if (!usesClick) return looks(() => ask(question, LOOK_MS_MAX));
    return clicksOf.run(String(linkNo), () => clicks(() => ask(question, CLICK_MS_MAX)));
  };
}
