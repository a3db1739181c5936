import type { Epochs } from "#clicks/journal/epochs.ts";
import type { Config } from "#config/settings.ts";
import { lossesAtEnd, type ProcessFigures } from "#monitoring/process-figures.ts";
import { afterMs } from "#runtime/after-ms.ts";
import { logEvent } from "#runtime/log.ts";
import { openSharedTally, type SharedTally, TALLY_FD } from "./shared-tally.ts";
import { SupervisedChild } from "./supervised-child.ts";

export type Role = "redirect" | "control";

export interface GroupOptions {
  readonly config: Pick<Config, "redirectProcesses">;
  /** The command line of a role; its numbers are appended. */
  readonly command: (role: Role) => readonly string[];
  /** Numbers to append after those of the role. */
  readonly facts?: readonly number[];
  readonly epochs: Epochs;
  readonly figures: ProcessFigures;
  /** Redirect processes aren't ready for load balancers until control has been ready once. */
  readonly awaitsControl?: boolean;
  /** Control may be unable to start for as long as it takes, because something it needs is away. */
  readonly controlMayFail?: boolean;
  /** How long an orderly stop may take. */
  readonly stopMsMax?: number;
}

export interface ProcessGroup {
  /** Resolves when every role has a process that serves. */
  readonly ready: Promise<void>;
  /** Resolves if they cannot start. */
  readonly failed: Promise<Error>;
  /** From now on they aren't ready for requests, but still answer them. */
  drain(): void;
  /** Stops them in order, or kills them if `force` resolves first; returns whether all stopped in order. */
  stop(force?: Promise<void>): Promise<boolean>;
}

// A hung redirect process swallows its share of the connections; control may be busy for a while.
const SILENCE_MS_MAX = { redirect: 1000, control: 10_000 } as const;
// The runtime uses one file thread per core. A disk that does not answer would soon block them all, and the log with
// them. Control also hashes passwords there, a few at a time.
const ENVIRONMENTS: Readonly<Record<Role, Readonly<Record<string, string>>>> = {
  redirect: { UV_THREADPOOL_SIZE: "16" },
  control: {},
};
const FAILED_STARTS_MAX = 5;
const STOP_MS_MAX = 15_000;

/** Starts the processes that serve one data directory, and restarts each whenever it ends. */
export function startProcesses({
  config,
  command,
  facts = [],
  epochs,
  figures,
  awaitsControl = false,
  controlMayFail = false,
  stopMsMax = STOP_MS_MAX,
}: GroupOptions): ProcessGroup {
  const ready = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<Error>();
  const awaited = new Set<Role>(["redirect", "control"]);

  const start = (role: Role, name: string, own: () => readonly number[], shared?: SharedTally): SupervisedChild => {
    const watch = figures.watch(name, shared?.tally);
    return new SupervisedChild({
      ...watch,
      ...(shared && { handed: shared.fd }),
      role,
      env: ENVIRONMENTS[role],
      command: () => [...command(role), ...[...own(), ...facts].map(String)],
      silenceMsMax: SILENCE_MS_MAX[role],
      onReady() {
        watch.onReady();
        if (awaited.delete(role) && awaited.size === 0) ready.resolve();
      },
      onDiskWait: (pid) => logEvent("warn", "a process waits for a disk that does not answer", { role, pid }),
      onEnd() {
        const lost = shared && lossesAtEnd(shared.tally);
        if (lost && Object.values(lost).some((clicks) => clicks > 0)) {
          logEvent("error", "a process that ended had lost clicks", { role, clicks: lost });
        }
        watch.onEnd();
      },
      onFailedStart(failures, reason) {
        // Once the server has been up, a process that cannot start is no reason to stop the others.
        if (awaited.size === 0 || failures < FAILED_STARTS_MAX || (role === "control" && controlMayFail)) return;
        failed.resolve(new Error(`the ${role} process cannot start: ${reason}`));
      },
    });
  };
  // A click is identified by its writer and that writer's epoch, which no other process ever gets.
  const tallies = Array.from({ length: config.redirectProcesses }, openSharedTally);
  // Not if it is replaced later: what is ready then stays so, whatever happened to control meanwhile.
  const waits = (): number => (awaitsControl && awaited.has("control") ? 1 : 0);
  const redirects = tallies.map((tally, writer) =>
    start("redirect", `redirect-${writer}`, () => [writer, epochs.next(), tally ? TALLY_FD : 0, waits()], tally),
  );
  const control = start("control", "control", () => [epochs.first]);

  return {
    ready: ready.promise,
    failed: failed.promise,
    drain() {
      for (const child of redirects) child.drain();
    },
    async stop(force = new Promise(() => {})) {
      // Clicks and API calls inside a redirect process still need control.
      const stopped = Promise.all(redirects.map((child) => child.stop())).then(() => control.stop());
      const isOrderly = await Promise.race([
        stopped.then(() => true),
        Promise.race([force, afterMs(stopMsMax)]).then(() => false),
      ]);
      if (!isOrderly) await Promise.all([...redirects, control].map((child) => child.kill()));
      for (const tally of tallies) tally?.close();
      return isOrderly;
    },
  };
}
