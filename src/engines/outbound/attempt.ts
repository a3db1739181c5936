import { OutboundError, type OutboundProblem, type OutboundRequest } from "./outbound-client.ts";

/** One call with its time limit. */
export interface Attempt {
  /** Its reason is the error the call fails with: the timeout, or the caller's reason. */
  readonly signal: AbortSignal;
  elapsedMs(): number;
  failure(problem: OutboundProblem, cause?: unknown): OutboundError;
  /** Waits for a promise until the call times out or is aborted. */
  race<T>(promise: Promise<T>): Promise<T>;
  end(): void;
}

export function startAttempt({ timeoutMs, signal }: Pick<OutboundRequest, "timeoutMs" | "signal">): Attempt {
  const startedAt = performance.now();
  const elapsedMs = (): number => Math.round(performance.now() - startedAt);
  const failure = (problem: OutboundProblem, cause?: unknown) => new OutboundError(problem, elapsedMs(), cause);

  const controller = new AbortController();
  const timer = setTimeout(() => controller.abort(failure("timeout")), timeoutMs);
  const abort = (): void => controller.abort(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener("abort", abort, { once: true });

  return {
    signal: controller.signal,
    elapsedMs,
    failure,
    race<T>(promise: Promise<T>): Promise<T> {
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      const stop = (): void => reject(controller.signal.reason);
      if (controller.signal.aborted) stop();
      else controller.signal.addEventListener("abort", stop, { once: true });
      return Promise.race([promise, aborted]).finally(() => controller.signal.removeEventListener("abort", stop));
    },
    end() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    },
  };
}
