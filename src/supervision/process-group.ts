import type { Epochs } from "#clicks/journal/epochs.ts";
import type { Config } from "#config/settings.ts";
import { lossesAtEnd, type ProcessFigures } from "#monitoring/process-figures.ts";
import { afterMs } from "#runtime/after-ms.ts";
import { logEvent } from "#runtime/log.ts";
import type { Handover } from "./handover.ts";
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
  /** Sockets on the public port, one for each redirect process; without them each opens its own. */
  readonly sockets?: readonly number[];
  /** If other processes still serve: those of the program that this one has replaced. */
  readonly replaced?: Pick<Handover, "firstEpoch" | "firstWriter" | "writers"> | undefined;
}

export interface ProcessGroup {
  /** Resolves when every role has a process that serves. */
  readonly ready: Promise<void>;
  /** Resolves if they cannot start. */
  readonly failed: Promise<Error>;
  /** From now on they aren't ready for requests, but still answer them. */
  drain(): void;
  /** Processes of the program before are gone. */
  noteAlone(): void;
  /**
   * Stops control and leaves the redirect processes to the program that replaces this one: they serve without a
   * supervisor, and calls for control wait until there is one again. Returns what that program has to know.
   */
  handOver(): Promise<Pick<Handover, "redirects" | "firstEpoch" | "firstWriter" | "writers">>;
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

interface Given {
  readonly shared?: SharedTally;
  /** Descriptors, of which the tally's is the first. */
  readonly handed?: readonly number[];
}

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
  sockets = [],
  replaced,
}: GroupOptions): ProcessGroup {
  const ready = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<Error>();
  const awaited = new Set<Role>(["redirect", "control"]);

  const start = (role: Role, name: string, own: () => readonly number[], given: Given = {}): SupervisedChild => {
    const { shared, handed = [] } = given;
    const watch = figures.watch(name, shared?.tally);
    return new SupervisedChild({
      ...watch,
      handed,
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
  // Until control is up for the first time, it is only changing over.
  const holdsCalls = (): number => (replaced !== undefined && awaited.has("control") ? 1 : 0);
  // While processes of the program before still write, no writer may have the number of one of them.
  const writers = config.redirectProcesses;
  const firstWriter = firstFreeWriter(writers, replaced);
  const redirects = tallies.map((tally, slot) => {
    const socket = sockets[slot];
    const handed = [...(tally ? [tally.fd] : []), ...(socket === undefined ? [] : [socket])];
    const socketFd = socket === undefined ? 0 : TALLY_FD + handed.length - 1;
    const numbers = () => [firstWriter + slot, epochs.next(), tally ? TALLY_FD : 0, waits(), socketFd, holdsCalls()];
    return start("redirect", `redirect-${slot}`, numbers, { ...(tally && { shared: tally }), handed });
  });
  const firstEpoch = epochs.first;
  let liveFromEpoch = replaced?.firstEpoch ?? firstEpoch;
  const control = start("control", "control", () => [liveFromEpoch]);

  return {
    ready: ready.promise,
    failed: failed.promise,
    drain() {
      for (const child of redirects) child.drain();
    },
    noteAlone() {
      liveFromEpoch = firstEpoch;
      control.tellAlone(firstEpoch);
    },
    async handOver() {
      const released = await Promise.all(redirects.map((child) => child.release()));
      await Promise.race([control.stop(), afterMs(stopMsMax).then(() => control.kill())]);
      return { redirects: released.filter((pid) => pid !== undefined), firstEpoch, firstWriter, writers };
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

/** The lowest of as many numbers in a row, none of which is taken. */
function firstFreeWriter(writers: number, taken?: Pick<Handover, "firstWriter" | "writers">): number {
  return taken === undefined || taken.firstWriter >= writers ? 0 : taken.firstWriter + taken.writers;
}
