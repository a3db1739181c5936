import { dataPaths } from "#config/data-paths.ts";
import { enginePlaces } from "#config/engine-places.ts";
import type { Config } from "#config/settings.ts";
import { findRecordsFile } from "#engines/records/records-file.ts";
import { reasonOf } from "#kernel/error-text.ts";
import { assertDataExists, assertUsable, DataDirectoryProblem, NoData } from "#runtime/data-directory.ts";
import { DataInUse, findLockHolder, lockDataDirectory } from "#runtime/data-lock.ts";
import { noteUse } from "#runtime/moved-data.ts";
import { prepareRecords } from "#runtime/prepare-records.ts";
import { assertSecretKey } from "#runtime/secret-key.ts";
import type { Services } from "#runtime/services.ts";
import { CommandInterrupted, ServerNotListening, sendToServer } from "./admin-client.ts";
import { type Command, type RawInput, ServicesUnavailable } from "./command.ts";

const WAIT_MS_MAX = 5000;
const RETRY_MS = 50;

interface InvokeOptions {
  /** How long to wait for a server that is starting, or for another command. */
  readonly waitMsMax?: number;
  readonly onProgress?: (text: string) => void;
}

/** Runs a command in the server that has the data or, without a server, in this process. */
export async function invoke(
  config: Config,
  command: Command,
  raw: RawInput,
  { waitMsMax = WAIT_MS_MAX, onProgress = () => {} }: InvokeOptions = {},
): Promise<unknown> {
  const paths = dataPaths(config.dataDir);
  assertUsable(paths);
  const endsAt = performance.now() + waitMsMax;
  // Servers and other commands come and go, so each attempt checks again who has the data.
  for (;;) {
    const leftMs = Math.max(0, endsAt - performance.now());
    try {
      const holder = findLockHolder(paths);
      if (holder?.purpose === "server") return await sendToServer(paths.adminSocket, command.name, raw, onProgress);
      return await runHere(config, command, raw, { waitMs: leftMs, onProgress });
    } catch (error) {
      const mayPass = error instanceof ServerNotListening || error instanceof DataInUse;
      if (!mayPass || leftMs === 0) {
        if (command.diagnoses && isOutage(error)) return runWithoutServices(config, command, raw, error);
        throw error;
      }
    }
    await Bun.sleep(RETRY_MS);
  }
}

/** Something that a diagnosis should report instead of failing. A directory without data is most likely the wrong one. */
const isOutage = (error: unknown): error is Error =>
  error instanceof ServerNotListening ||
  error instanceof CommandInterrupted ||
  error instanceof DataInUse ||
  (error instanceof DataDirectoryProblem && !(error instanceof NoData));

function runWithoutServices(config: Config, command: Command, raw: RawInput, reason: Error): Promise<unknown> {
  return command.run(
    {
      config,
      paths: dataPaths(config.dataDir),
      isServer: false,
      signal: new AbortController().signal,
      progress: () => {},
      async services() {
        throw new ServicesUnavailable(reason.message);
      },
    },
    raw,
  );
}

async function runHere(
  config: Config,
  command: Command,
  raw: RawInput,
  { waitMs, onProgress }: { readonly waitMs: number; readonly onProgress: (text: string) => void },
): Promise<unknown> {
  const paths = dataPaths(config.dataDir);
  assertDataExists(config);
  const lock = lockDataDirectory(paths, { purpose: "command", waitMs });
  let services: Promise<Services> | undefined;
  try {
    return await command.run(
      {
        config,
        paths,
        isServer: false,
        // Whoever stops this command stops the whole process.
        signal: new AbortController().signal,
        progress: onProgress,
        services() {
          services ??= openHere(config, command);
          return services;
        },
      },
      raw,
    );
  } finally {
    try {
      await (await services?.catch(() => undefined))?.close();
      findRecordsFile(enginePlaces(config).records)?.rewriteErased();
    } catch (error) {
      // The command itself has succeeded.
      onProgress(`${reasonOf(error)}; copies of deleted data may be left until the next command or stop`);
    } finally {
      lock.release();
    }
  }
}

async function openHere(config: Config, { diagnoses }: Command): Promise<Services> {
  await prepareRecords(config);
  // A diagnosis reports the key, and changes nothing.
  if (!diagnoses) {
    await assertSecretKey(config);
    await noteUse(config);
  }
  // Loaded only here: a running server does the work of most commands.
  const { openServices } = await import("#runtime/services.ts");
  // Who only looks doesn't want to wait for a migration, nor to lose the way back to the release before.
  return openServices({ config, paths: dataPaths(config.dataDir), clicksAsIs: diagnoses });
}
