import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContainerImage } from "./container-image.ts";
import type { Outcome } from "./spare-machine.ts";
import { until } from "./until.ts";

export interface ContainerOptions {
  readonly image: Pick<ContainerImage, "config" | "root">;
  /** In place of the image's own command. */
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Directories of this machine, by their path in the container. */
  readonly volumes: Readonly<Record<string, string>>;
  /** Names that it can resolve. */
  readonly hosts?: string;
  /** The command that enters its network; without it, it has one of its own, with nothing in it. */
  readonly network?: readonly string[];
}

export interface Container {
  readonly output: { text: string };
  /** The first process in it, as this machine sees it. */
  readonly pid: number;
  /** Runs a command in the container, as the image's user. */
  exec(command: readonly string[], input?: string): Promise<Outcome>;
  /** Runs a command of this machine in the container's network. */
  fromOutside(command: readonly string[]): Promise<Outcome>;
  readonly exited: Promise<number>;
  /** SIGTERM to the first process, as `docker stop` does; returns the exit code. */
  stop(): Promise<number>;
  /** Ends everything in it at once. */
  kill(): Promise<void>;
}

const DEVICES = ["full", "null", "random", "urandom", "zero"];

/**
 * Runs an image as a container engine does with `--read-only --tmpfs /tmp --cap-drop ALL --security-opt
 * no-new-privileges`: its files can't be written, its processes have numbers of their own, and no rights.
 */
export async function startContainer(options: ContainerOptions): Promise<Container> {
  const { image, network } = options;
  const directory = mkdtempSync(join(tmpdir(), "kurz-container-"));
  const root = join(directory, "root");
  mkdirSync(root);
  writeFileSync(join(directory, "hosts"), options.hosts ?? "127.0.0.1 localhost\n");
  // Container engines create it, too.
  writeFileSync(join(image.root, "etc", "hosts"), "");
  for (const path of Object.keys(options.volumes)) mkdirSync(join(image.root, path), { recursive: true });

  const unshare = ["unshare", "--mount", "--pid", "--fork", ...(network ? [] : ["--net"])];
  const command = [...image.config.Entrypoint, ...(options.command ?? image.config.Cmd)];
  const asUser = userCommand(options);
  const child = Bun.spawn(
    [
      ...(network ?? []),
      ...unshare,
      "sh",
      "-euc",
      mountScript(options, directory),
      "sh",
      "chroot",
      root,
      ...asUser,
      ...command,
    ],
    { stdin: "ignore", stdout: "pipe", stderr: "pipe" },
  );
  const output = { text: "" };
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    const decoder = new TextDecoder();
    for await (const chunk of stream) output.text += decoder.decode(chunk, { stream: true });
  });
  const exited = child.exited.then(async (code) => {
    await Promise.all(reading);
    rmSync(directory, { recursive: true, force: true });
    return code;
  });
  const pid = await firstProcess(child);
  const enter = ["nsenter", "-t", String(pid), "-m", "-p", "-n", "-r"];
  return {
    output,
    pid,
    exited,
    exec: (words, input = "") => run([...enter, ...asUser, ...words], input),
    fromOutside: (words) => run(["nsenter", "-t", String(pid), "-n", ...words], ""),
    stop() {
      process.kill(pid, "SIGTERM");
      return exited;
    },
    async kill() {
      // The first process takes all others with it.
      if (child.exitCode === null) process.kill(pid, "SIGKILL");
      await exited;
    },
  };
}

/** Without any rights, and with only the variables of image and container. */
function userCommand({ image: { config }, env = {} }: ContainerOptions): string[] {
  const [uid, gid] = config.User.split(":");
  const rights = ["--clear-groups", "--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"];
  const variables = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
  return ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, ...rights, "env", "-i", "-C", config.WorkingDir, ...variables];
}

const mountScript = ({ image, volumes }: ContainerOptions, directory: string): string => {
  const root = join(directory, "root");
  const bound = { "/etc/hosts": join(directory, "hosts"), ...volumes };
  return [
    "mount --make-rprivate /",
    "ip link set lo up",
    `mount --bind '${image.root}' '${root}'`,
    `mount -o remount,bind,ro '${root}'`,
    `mount -t proc proc '${root}/proc'`,
    `mount -t tmpfs -o mode=1777 tmpfs '${root}/tmp'`,
    `mount -t tmpfs -o mode=755 tmpfs '${root}/dev'`,
    ...DEVICES.map((name) => `touch '${root}/dev/${name}' && mount --bind /dev/${name} '${root}/dev/${name}'`),
    ...Object.entries(bound).map(([path, from]) => `mount --bind '${from}' '${join(root, path)}'`),
    'exec "$@"',
  ].join("\n");
};

/** 0 if it has ended before anyone could see it. */
async function firstProcess(child: Bun.Subprocess): Promise<number> {
  let pid = 0;
  await until("the first process is there", () => {
    pid = Number(Bun.spawnSync(["ps", "-o", "pid=", "--ppid", String(child.pid)]).stdout.toString());
    return pid > 0 || child.exitCode !== null;
  });
  return pid;
}

async function run(command: readonly string[], input: string): Promise<Outcome> {
  const child = Bun.spawn([...command], { stdin: new Blob([input]), stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, out, err };
}
