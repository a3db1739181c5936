import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { syncPath } from "#clicks/sync-path.ts";
import type { DataPaths } from "#config/data-paths.ts";
import type { Config } from "#config/settings.ts";
import { copyFileAside } from "#engines/clicks/copy-file-aside.ts";
import { recordsFile } from "#engines/records/records-file.ts";
import { assertDataExists } from "#runtime/data-directory.ts";
import manifestOfKurz from "../../package.json" with { type: "json" };
import { refuseDataOnServers } from "./data-on-servers.ts";
import { copyPrivately, syncTree } from "./durable-files.ts";
import { copyJournal, joinCuts, measureJournal } from "./journal-cut.ts";
import { type Manifest, writeManifest } from "./manifest.ts";
import { copyRecords } from "./records-copy.ts";
import { syncSteadily } from "./steady-sync.ts";
import { holdData, type StillData } from "./still-data.ts";

export interface BackupOptions {
  readonly config: Config;
  readonly paths: DataPaths;
  /** Must not exist yet, or be empty. */
  readonly directory: string;
  /** Reports progress to the operator. */
  readonly say: (text: string) => Promise<void>;
}

/** Copies all data of the service, consistent as of one moment, with or without a running server. */
export async function takeBackup({ config, paths, directory, say }: BackupOptions): Promise<Manifest> {
  refuseDataOnServers(config);
  assertDataExists(config);
  refuseExisting(directory);
  const parent = dirname(directory);
  const draft = makeDraft(directory, parent);
  try {
    const takenAt = await copyData(draft, paths, say);
    const hasKey = await copySecretKey(draft, config, paths);
    await copySettings(join(draft, "settings"), config);
    await say("calculating checksums");
    const manifest = await writeManifest(draft, {
      kurz: manifestOfKurz.version,
      taken_at: takenAt,
      schema: recordsFile({ path: join(draft, "data", "records.db") }).schemaVersion() ?? 0,
      secret_key: hasKey ? "included" : "elsewhere",
    });
    syncTree(draft);
    renameSync(draft, directory);
    syncPath(parent);
    return manifest;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** A backup gets its name only when it is complete; a crash leaves one with another name and no manifest. */
function makeDraft(directory: string, parent: string): string {
  try {
    mkdirSync(parent, { recursive: true, mode: 0o700 });
    return mkdtempSync(`${directory}.partial-`);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new Error(
      `the backup can't be written to ${parent} (${code}); make sure that it is a directory this user can write to`,
    );
  }
}

async function copyData(draft: string, paths: DataPaths, say: CutTarget["say"]): Promise<string> {
  const still = await holdData(paths);
  try {
    const takenAt = await copyCut(still, paths, { data: join(draft, "data"), say });
    await still.confirm();
    return takenAt;
  } finally {
    await still.close();
  }
}

interface CutTarget {
  readonly data: string;
  readonly say: (text: string) => Promise<void>;
}

/**
 * The order is what makes it a cut, see docs/decisions/0010-backup.md. The journal is measured after the clicks were
 * copied, so it contains all of them, and before the records are, so they have every link that it names.
 */
async function copyCut(still: StillData, paths: DataPaths, { data, say }: CutTarget): Promise<string> {
  mkdirSync(join(data, "journal"), { recursive: true, mode: 0o700 });
  await say("copying the clicks");
  const clicks = join(data, "clicks.duckdb");
  await still.copyClicks((file) => syncSteadily(clicks, copyFileAside(file, clicks)));
  const written = measureJournal(paths.journal);
  const takenAt = new Date().toISOString();
  await say("copying the records");
  const records = join(data, "records.db");
  await copyRecords(paths.records, records);
  await say("copying the journal");
  copyJournal(
    paths.journal,
    join(data, "journal"),
    joinCuts(written, recordsFile({ path: records }).readClickPositions()),
  );
  // After the journal, so that no segment name has an epoch beyond the counter.
  if (existsSync(paths.epochs)) await copyPrivately(paths.epochs, join(data, "epochs"));
  return takenAt;
}

/** Without the key, some of the data can't be decrypted. */
async function copySecretKey(draft: string, { secretKey }: Config, paths: DataPaths): Promise<boolean> {
  if (secretKey !== null || !existsSync(paths.secretKey)) return false;
  await copyPrivately(paths.secretKey, join(draft, "data", "secret.key"));
  return true;
}

/** The operator's own files. They are backed up with the data, but a restore leaves it to the operator to use them. */
async function copySettings(directory: string, { plansFile, blocklistFile }: Config): Promise<void> {
  mkdirSync(directory, { mode: 0o700 });
  if (plansFile !== null) await copyPrivately(plansFile, join(directory, "plans.json"));
  if (blocklistFile !== null) await copyPrivately(blocklistFile, join(directory, "blocklist.txt"));
}

function refuseExisting(directory: string): void {
  if (!existsSync(directory)) return;
  const isEmpty = statSync(directory).isDirectory() && readdirSync(directory).length === 0;
  if (!isEmpty) throw new Error(`${directory} already exists; choose another directory`);
}
