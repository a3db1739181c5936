import { chmodSync, existsSync, mkdtempSync, rmdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "./until.ts";

export interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

interface RunOptions {
  readonly user?: string;
  readonly directory?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** An isolated file system and process tree in which documentation can be followed without harm to this machine. */
export interface SpareMachine {
  run(script: string, options?: RunOptions): Promise<Outcome>;
  write(path: string, text: string, mode?: number): void;
  /** Ends every process in it and removes it. */
  close(): Promise<void>;
}

interface MachineOptions {
  /** This machine's file system with changes in memory and a project at /opt/kurz, or one in a directory. */
  readonly ground: { readonly project: string } | { readonly directory: string };
  /** Whether it has its own network with only the loopback interface, or shares this machine's. */
  readonly ownNetwork: boolean;
}

const PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

/** Only root may open one. It lives in namespaces that end with one process. */
export async function openSpareMachine({ ground, ownNetwork }: MachineOptions): Promise<SpareMachine> {
  const base = mkdtempSync(join(tmpdir(), "kurz-machine-"));
  chmodSync(base, 0o755);
  const root = "directory" in ground ? ground.directory : join(base, "layers", "merged");
  const ready = join(base, "ready");
  const script = `set -eu
    mount --make-rprivate /
    ${"directory" in ground ? "" : overlayOf(ground.project, base, root)}
    mount -t proc proc ${root}/proc
    mount --rbind /dev ${root}/dev
    : > ${ready}
    # The first process of a machine also reaps orphans.
    while sleep 1; do :; done`;
  const namespaces = ["--mount", "--pid", "--fork", "--kill-child", ...(ownNetwork ? ["--net"] : [])];
  const holder = Bun.spawn(["unshare", ...namespaces, "sh", "-c", script], { stdout: "ignore", stderr: "pipe" });
  const close = async (): Promise<void> => {
    holder.kill("SIGKILL");
    await holder.exited;
    // Mounts end with their namespace, so only an empty directory is left.
    rmSync(ready, { force: true });
    rmSync(join(base, "layers"), { recursive: true, force: true });
    rmdirSync(base);
  };
  await until("the machine runs", () => existsSync(ready) || holder.exitCode !== null, 60_000);
  if (holder.exitCode !== null) {
    const problem = await new Response(holder.stderr).text();
    await close();
    throw new Error(`a spare machine needs root: ${problem}`);
  }
  const first = Number(Bun.spawnSync(["ps", "-o", "pid=", "--ppid", String(holder.pid)]).stdout.toString());
  const enter = ["nsenter", "-t", String(first), "-m", "-p", ...(ownNetwork ? ["-n"] : [])];
  if (ownNetwork) Bun.spawnSync(["nsenter", "-t", String(first), "-n", "ip", "link", "set", "lo", "up"]);

  const execute = async (command: readonly string[], input: string): Promise<Outcome> => {
    const child = Bun.spawn([...enter, "chroot", root, ...command], {
      env: { PATH },
      stdin: new TextEncoder().encode(input),
      stdout: "pipe",
      stderr: "pipe",
    });
    const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    return { code, out, err };
  };

  return {
    run(text, { user, directory = "/", env = {} } = {}) {
      const variables = { PATH, LANG: "C.UTF-8", HOME: user ? `/home/${user}` : "/root", ...env };
      const settings = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
      const asUser = user ? ["runuser", "-u", user, "--"] : [];
      return execute(["env", "-i", "-C", directory, ...settings, ...asUser, "sh", "-eu", "-c", text], "");
    },
    write(path, text, mode = 0o644) {
      // Through the namespace, since the root is mounted only there.
      const place = join(root, path);
      const { exitCode, stderr } = Bun.spawnSync(
        [
          ...enter,
          "sh",
          "-c",
          `mkdir -p '${dirname(place)}' && cat > '${place}' && chmod ${mode.toString(8)} '${place}'`,
        ],
        { stdin: new TextEncoder().encode(text) },
      );
      if (exitCode !== 0) throw new Error(`${path} is not written: ${stderr}`);
    },
    close,
  };
}

const overlayOf = (project: string, base: string, root: string): string => `
    mkdir ${base}/layers
    mount -t tmpfs tmpfs ${base}/layers
    mkdir ${base}/layers/upper ${base}/layers/work ${root}
    mount -t overlay overlay -o lowerdir=/,upperdir=${base}/layers/upper,workdir=${base}/layers/work ${root}
    mkdir -p ${root}/opt/kurz
    mkdir ${base}/layers/upper-kurz ${base}/layers/work-kurz
    mount -t overlay overlay -o lowerdir=${project},upperdir=${base}/layers/upper-kurz,workdir=${base}/layers/work-kurz \\
      ${root}/opt/kurz`;
