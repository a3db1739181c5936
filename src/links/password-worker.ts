import { stayOnCore } from "#kernel/stay-on-core.ts";
import { answerCalls } from "#kernel/worker-calls.ts";

export interface PasswordCheck {
  readonly password: string;
  readonly hash: string;
  /** Which of the checking threads this is: each has a core of its own. */
  readonly place: number;
}

let isOnCore = false;

answerCalls(({ password, hash, place }: PasswordCheck): boolean => {
  if (!isOnCore) stayOnCore(place);
  isOnCore = true;
  return Bun.password.verifySync(password, hash);
});
