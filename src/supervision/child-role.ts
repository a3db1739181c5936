import { errorText } from "#kernel/error-text.ts";
import type { Figures } from "#metrics/figures.ts";
import type { ProcessReport } from "#monitoring/process-figures.ts";
import { readUsage } from "#monitoring/process-usage.ts";
import { flushLog, logEvent } from "#runtime/log.ts";
import { dieWithParent } from "./parent-death.ts";
import { startFailureText } from "./start-failure.ts";

export type ToChild =
  | { readonly type: "ping" | "drain" | "release" | "stop" }
  /** Processes with lower epochs are gone. */
  | { readonly type: "alone"; readonly fromEpoch: number };
export type FromChild =
  | { readonly type: "ready" | "released" }
  /** It answers, and reports once in a while. */
  | { readonly type: "pong"; readonly report?: ProcessReport }
  | { readonly type: "failed"; readonly error: string };

export interface ChildRole {
  /** Says that it will stop soon, and goes on. */
  drain?(): void;
  /** The supervisor is about to be replaced, and control with it; the process goes on until it gets SIGTERM. */
  release?(): Promise<void>;
  /** Processes of the program before are gone, so that all others have at least this epoch. */
  alone?(fromEpoch: number): void;
  /** Finishes the work in order; the process exits when it resolves. */
  stop(): Promise<void>;
  /** What it has counted and measured; sent every second, so that a killed process loses little. */
  figures?(): Figures;
}

// Pings come more often, and each report is garbage a moment later, in two processes that may have nothing else to do.
const REPORT_MS = 1000;

/** Connects this process to its supervisor. Started by hand, without one, it reacts to signals instead. */
export function runChild({ drain, release, alone, stop, figures = () => ({}) }: ChildRole): { ready(): void } {
  const supervised = process.send !== undefined;
  let isReleased = false;
  let stopping = false;
  let reportedAt = Number.NEGATIVE_INFINITY;

  const answerPing = (): void => {
    if (performance.now() - reportedAt < REPORT_MS) send({ type: "pong" });
    else {
      send({ type: "pong", report: { usage: readUsage(), figures: figures() } });
      reportedAt = performance.now();
    }
  };

  const stopAndExit = async (): Promise<void> => {
    if (stopping) return;
    stopping = true;
    const failed = await stop().then(
      () => false,
      (error: unknown) => {
        logEvent("error", "the orderly stop failed", { error: errorText(error) });
        return true;
      },
    );
    await flushLog();
    process.exit(failed ? 1 : 0);
  };

  if (supervised) {
    dieWithParent();
    process.on("message", (message: ToChild) => {
      if (message.type === "ping") answerPing();
      else if (message.type === "drain") drain?.();
      else if (message.type === "alone") alone?.(message.fromEpoch);
      else if (message.type === "release") {
        isReleased = true;
        void Promise.resolve(release?.()).then(() => send({ type: "released" }));
      } else if (message.type === "stop") void stopAndExit();
    });
    process.on("disconnect", () => {
      if (!isReleased) process.exit(0);
    });
    if (!process.connected) process.exit(0);
  }
  // Ctrl-C reaches the whole process group, but the supervisor decides the order of stopping.
  for (const signal of ["SIGTERM", "SIGINT"] as const) {
    process.on(signal, () => {
      if (!supervised || (isReleased && signal === "SIGTERM")) void stopAndExit();
    });
  }
  return { ready: () => send({ type: "ready" }) };
}

/** Exits a process that cannot start, and tells the supervisor why. */
export function failStart(error: unknown): never {
  const text = startFailureText(error);
  if (process.send) send({ type: "failed", error: text });
  else logEvent("error", "the process cannot start", { error: text });
  process.exit(1);
}

function send(message: FromChild): void {
  try {
    process.send?.(message);
  } catch {
    // The channel is closed: "disconnect" ends this process.
  }
}
