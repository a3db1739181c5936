import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A disk that can stop responding, as during a snapshot or when network storage is down. */
export interface FreezableDisk {
  readonly path: string;
  /** From now on every write waits. */
  freeze(): void;
  thaw(): void;
  /** Thaws and unmounts it. */
  remove(): void;
}

// A process that waits for a frozen disk can't even be killed, so another process makes sure that it thaws.
const FROZEN_S_MAX = 60;

/** An ext4 file system in a file. Only root may mount one. */
export function mountFreezableDisk(megabytes: number): FreezableDisk {
  const root = mkdtempSync(join(tmpdir(), "kurz-freezable-"));
  const image = join(root, "image");
  const path = join(root, "disk");
  mkdirSync(path);
  run("truncate", "-s", `${megabytes}M`, image);
  run("mkfs.ext4", "-q", "-F", "-m", "0", image);
  run("mount", "-o", "loop", image, path);
  let guard: Bun.Subprocess | undefined;
  const thaw = (): void => {
    if (guard === undefined) return;
    run("fsfreeze", "--unfreeze", path);
    guard.kill();
    guard = undefined;
  };
  return {
    path,
    freeze() {
      guard = startGuard(path);
      run("fsfreeze", "--freeze", path);
    },
    thaw,
    remove() {
      thaw();
      run("umount", path);
      rmSync(root, { recursive: true });
    },
  };
}

/** Thaws the disk when this process ends, or after a minute. */
function startGuard(path: string): Bun.Subprocess {
  const script = `for second in $(seq ${FROZEN_S_MAX}); do kill -0 ${process.pid} || break; sleep 1; done; fsfreeze --unfreeze "$0"`;
  return Bun.spawn(["setsid", "sh", "-c", script, path], { stdio: ["ignore", "ignore", "ignore"] });
}

function run(...command: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`this test needs root, to freeze a disk: ${command.join(" ")}: ${stderr}`);
}
