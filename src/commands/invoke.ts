import { dataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import { rewriteErased } from "#engines/records/sqlite-rewrite.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { assertDataExists, assertUsable } from "#runtime/data-directory.ts";
import { DataInUse, findLockHolder, lockDataDirectory } from "#runtime/data-lock.ts";
import { prepareRecords } from "#runtime/prepare-records.ts";
import { openServices, type Services } from "#runtime/services.ts";
import { ServerNotListening, sendToServer } from "./admin-client.ts";
import type { Command, RawInput } from "./command.ts";

const PATIENCE_MS = 5000;
const RETRY_MS = 50;

interface InvokeOptions {
  readonly patienceMs?: number;
  /** Hears how far long work has come. */
  readonly onProgress?: (text: string) => void;
}

/** Runs a command where the data is: in the server that holds it or, when nobody does, here. */
export async function invoke(
  config: Config,
  command: Command,
  raw: RawInput,
  { patienceMs = PATIENCE_MS, onProgress = () => {} }: InvokeOptions = {},
): Promise<unknown> {
  const paths = dataPaths(config.dataDir);
  assertUsable(paths);
  const endsAt = performance.now() + patienceMs;
  // Servers and other commands come and go in between, so each attempt looks anew at who holds the data.
  for (;;) {
    const leftMs = Math.max(0, endsAt - performance.now());
    try {
      const holder = findLockHolder(paths);
      if (holder?.purpose === "server") return await sendToServer(paths.adminSocket, command.name, raw, onProgress);
      return await runHere(config, command, raw, { waitMs: leftMs, onProgress });
    } catch (error) {
      const mayPass = error instanceof ServerNotListening || error instanceof DataInUse;
      if (!mayPass || leftMs === 0) throw error;
    }
    await Bun.sleep(RETRY_MS);
  }
}

async function runHere(
  config: Config,
  command: Command,
  raw: RawInput,
  { waitMs, onProgress }: { readonly waitMs: number; readonly onProgress: (text: string) => void },
): Promise<unknown> {
  const paths = dataPaths(config.dataDir);
  assertDataExists(paths);
  const lock = lockDataDirectory(paths, { purpose: "command", waitMs });
  let services: Services | undefined;
  try {
    return await command.run(
      {
        config,
        paths,
        isServer: false,
        // Who has this process end early ends all of it.
        signal: new AbortController().signal,
        progress: onProgress,
        services() {
          if (services) return services;
          prepareRecords(paths);
          services = openServices({ config, paths });
          return services;
        },
      },
      raw,
    );
  } finally {
    try {
      await services?.close();
      rewriteErased(paths.records);
    } catch (error) {
      // What was asked for is done all the same.
      onProgress(`${reasonOf(error)}; copies of deleted data may be left until the next command or stop`);
    } finally {
      lock.release();
    }
  }
}
