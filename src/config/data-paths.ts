import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";

// The kernel allows 107 bytes for a unix socket path.
const SOCKET_PATH_BYTES_MAX = 100;

export interface DataPaths {
  readonly dataDir: string;
  readonly records: string;
  readonly lock: string;
  readonly secretKey: string;
  /** What makes this node's name unique in a deployment of several; not in backups. */
  readonly node: string;
  /** Where the data was moved to, and whether all of it is and has been used there; not in backups. */
  readonly moved: string;
  /** The one-time code for the first setup, while there is no user. */
  readonly setUpCode: string;
  readonly clicks: string;
  /** Clicks that are not yet ingested: written by redirect processes, read by control. */
  readonly journal: string;
  /** Short-lived files that the clicks engine loads. */
  readonly clickBatches: string;
  readonly epochs: string;
  /** The latest time that click maintenance has seen; not in backups. */
  readonly clock: string;
  /** What redirect processes know of links, for when the server for records is away; not in backups. */
  readonly snapshots: string;
  /** What imports have read and have still to create; not in backups. */
  readonly imports: string;
  /** The salts of the visitor hashes; not in backups. */
  readonly salts: string;
  /** Where the one-file program keeps a library that must be a file; hidden, since it is no data. */
  readonly library: string;
  /** A directory with mode 0700 for the running server's sockets. */
  readonly run: string;
  readonly controlSocket: string;
  /** Where a demo serves short links, for its proxy only. */
  readonly visitorsSocket: string;
  readonly adminSocket: string;
  readonly changesSocket: string;
  /** Where redirect processes ask whether a visitor may open a guarded link. */
  readonly guardsSocket: string;
  readonly metricsSocket: string;
  /** Where a backup asks the running server not to change files that are being copied. */
  readonly backupSocket: string;
  /** Exists during a restore, and stays behind if the restore is interrupted. */
  readonly restoring: string;
}

export function dataPaths(dataDir: string): DataPaths {
  const run = runDirectory(dataDir);
  return {
    dataDir,
    records: join(dataDir, "records.db"),
    lock: join(dataDir, "lock.db"),
    secretKey: join(dataDir, "secret.key"),
    node: join(dataDir, "node"),
    moved: join(dataDir, "moved.json"),
    setUpCode: join(dataDir, "setup.code"),
    clicks: join(dataDir, "clicks.duckdb"),
    journal: join(dataDir, "journal"),
    clickBatches: join(dataDir, "batches"),
    epochs: join(dataDir, "epochs"),
    clock: join(dataDir, "clock.json"),
    snapshots: join(dataDir, "snapshots"),
    imports: join(dataDir, "imports"),
    salts: join(dataDir, "salts.json"),
    library: join(dataDir, ".library"),
    run,
    controlSocket: join(run, "control.sock"),
    visitorsSocket: join(run, "visitors.sock"),
    adminSocket: join(run, "admin.sock"),
    changesSocket: join(run, "changes.sock"),
    guardsSocket: join(run, "guards.sock"),
    metricsSocket: join(run, "metrics.sock"),
    backupSocket: join(run, "backup.sock"),
    restoring: join(dataDir, "restoring"),
  };
}

/** The snapshot of one of the node's redirect processes. */
export const snapshotFile = ({ snapshots }: DataPaths, writer: number): string => join(snapshots, `links-${writer}.db`);

function runDirectory(dataDir: string): string {
  const run = join(dataDir, "run");
  if (Buffer.byteLength(join(run, "visitors.sock")) <= SOCKET_PATH_BYTES_MAX) return run;
  const name = createHash("sha256").update(dataDir).digest("hex").slice(0, 16);
  return join(tmpdir(), `kurz-${process.getuid?.() ?? 0}-${name}`);
}
