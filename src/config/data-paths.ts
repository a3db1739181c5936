import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The kernel's limit for the path of a unix socket is 107 bytes.
const SOCKET_PATH_BYTES_MAX = 100;

export interface DataPaths {
  readonly dataDir: string;
  readonly records: string;
  readonly lock: string;
  readonly secretKey: string;
  /** The one-time code of the first set-up, while there is no user. */
  readonly setUpCode: string;
  readonly clicks: string;
  /** Clicks on their way: written by redirect processes, read by control. */
  readonly journal: string;
  /** Files that the clicks engine reads, each for a moment. */
  readonly clickBatches: string;
  readonly epochs: string;
  /** The last time that upkeep of the clicks has seen; backups leave it out. */
  readonly clock: string;
  /** The salts of the visitor hashes; backups leave them out. */
  readonly salts: string;
  /** A directory of mode 0700 with the sockets of the running server. */
  readonly run: string;
  readonly controlSocket: string;
  /** Where the short links of a demo are served, for its front alone. */
  readonly visitorsSocket: string;
  readonly adminSocket: string;
  readonly changesSocket: string;
  readonly metricsSocket: string;
  /** Where a backup has the running server keep its data still. */
  readonly backupSocket: string;
  /** There while a backup is brought back, and left behind where that was broken off. */
  readonly restoring: string;
}

export function dataPaths(dataDir: string): DataPaths {
  const run = runDirectory(dataDir);
  return {
    dataDir,
    records: join(dataDir, "records.db"),
    lock: join(dataDir, "lock.db"),
    secretKey: join(dataDir, "secret.key"),
    setUpCode: join(dataDir, "setup.code"),
    clicks: join(dataDir, "clicks.duckdb"),
    journal: join(dataDir, "journal"),
    clickBatches: join(dataDir, "batches"),
    epochs: join(dataDir, "epochs"),
    clock: join(dataDir, "clock.json"),
    salts: join(dataDir, "salts.json"),
    run,
    controlSocket: join(run, "control.sock"),
    visitorsSocket: join(run, "visitors.sock"),
    adminSocket: join(run, "admin.sock"),
    changesSocket: join(run, "changes.sock"),
    metricsSocket: join(run, "metrics.sock"),
    backupSocket: join(run, "backup.sock"),
    restoring: join(dataDir, "restoring"),
  };
}

function runDirectory(dataDir: string): string {
  const run = join(dataDir, "run");
  if (Buffer.byteLength(join(run, "visitors.sock")) <= SOCKET_PATH_BYTES_MAX) return run;
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  return join(tmpdir(), `kurz-${process.getuid?.() ?? 0}-${name}`);
}
