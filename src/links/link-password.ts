import { availableParallelism } from "node:os";
import { PASSWORD_HASH } from "#accounts/password.ts";
import { ApiError } from "#kernel/api-error.ts";
import { gate } from "#kernel/gate.ts";
import { shippedWorker } from "#kernel/shipped-files.ts";
import { openWorkerCalls } from "#kernel/worker-calls.ts";
import type { PasswordCheck } from "./password-worker.ts";

// Owners, visitors and people who sign in don't wait for each other: a flood of one kind locks no other kind out.
const NEW_HASHES_WAITING_MAX = 64;
/** Each takes 19 MiB and a core for a moment, and one core is left to redirects. */
export const CHECKS_AT_ONCE = Math.min(2, Math.max(1, availableParallelism() - 1));
export const CHECKS_WAITING_MAX = 64;
// Nobody looks at a form for longer, and the redirect process gives up soon after.
const CHECK_WAIT_MS_MAX = 5000;
// A thread has its own memory, which most deployments never need.
const IDLE_MS = 60_000;

const module = shippedWorker("src/links/password-worker.ts");

const tooManyHashes = (): ApiError =>
  new ApiError("unavailable", "Too many passwords are being set right now. Try again in a moment.").withHeader(
    "retry-after",
    "5",
  );

/** More passwords are being entered than can be checked. */
export class TooManyChecks extends Error {}

const hashing = gate(1, { waitingMax: NEW_HASHES_WAITING_MAX, refusal: tooManyHashes });
const checking = gate(CHECKS_AT_ONCE, {
  waitingMax: CHECKS_WAITING_MAX,
  waitMsMax: CHECK_WAIT_MS_MAX,
  refusal: () => new TooManyChecks(),
});

/** On a thread of its own. Nothing is trimmed or folded. */
export const hashLinkPassword = (password: string): Promise<string> =>
  hashing(() => Bun.password.hash(password, PASSWORD_HASH));

/** On threads of their own, which stay on their cores and out of the way of redirects. */
const free = Array.from({ length: CHECKS_AT_ONCE }, (_, place) => ({
  place,
  thread: openWorkerCalls<PasswordCheck, boolean>({ module, idleMsMax: IDLE_MS }),
}));

export const isLinkPassword = (password: string, hash: string): Promise<boolean> =>
  checking(async () => {
    const checker = free.pop();
    if (checker === undefined) throw new Error("more checks at once than the gate lets in");
    try {
      return await checker.thread.call({ password, hash, place: checker.place });
    } finally {
      free.push(checker);
    }
  });
