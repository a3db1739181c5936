import { chmodSync, copyFileSync, linkSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { until } from "./until.ts";

/** A root directory with the C and C++ libraries, `cp`, and nothing else: no shell, no settings, no runtime. */
export interface BareMachine {
  /** Where commands run, as this machine sees it. At first only the program is in it. */
  readonly home: string;
  start(args: readonly string[], options?: RunOptions): BareProcess;
  run(args: readonly string[], options?: RunOptions): Promise<BareOutcome>;
  close(): void;
}

export interface RunOptions {
  /** The whole environment. */
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  /** Commands of this machine that run before, in the namespace of the process. */
  readonly mounts?: readonly string[];
}

export interface BareProcess {
  readonly pid: number;
  readonly output: { stdout: string; stderr: string };
  readonly ended: Promise<BareOutcome>;
  untilPrinted(text: string): Promise<void>;
  /** As Ctrl-C or systemd does it. */
  stop(): Promise<BareOutcome>;
}

export interface BareOutcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

const TOOLS = ["/usr/bin/cp", "/usr/bin/env"];
const HOME = "/home";
const PRINTED_MS_MAX = 180_000;

/** Only root may open one. `libraries` are files whose own libraries the system has to have. */
export function openBareMachine(program: string, libraries: readonly string[] = []): BareMachine {
  const root = mkdtempSync(join(tmpdir(), "kurz-bare-"));
  chmodSync(root, 0o755);
  for (const path of ["proc", "dev", "tmp", HOME]) mkdirSync(join(root, path));
  const besideThem = new Set(libraries.map(dirname));
  const needed = new Set([program, ...TOOLS, ...libraries].flatMap(librariesOf));
  for (const path of [...needed, ...TOOLS]) {
    // What ships with them is no part of a system.
    if (besideThem.has(dirname(path))) continue;
    mkdirSync(dirname(join(root, path)), { recursive: true });
    copyFileSync(path, join(root, path));
  }
  const home = join(root, HOME);
  place(program, join(home, "kurz"));

  const start = (args: readonly string[], { env = {}, input, mounts = [] }: RunOptions = {}): BareProcess => {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    const script = [
      "mount --make-rprivate /",
      `mount -t proc proc '${root}/proc'`,
      `mount --rbind /dev '${root}/dev'`,
      ...mounts,
      `exec chroot '${root}' /usr/bin/env -i -C ${HOME} "$@"`,
    ].join("\n");
    const child = Bun.spawn(["unshare", "--mount", "sh", "-euc", script, "sh", ...variables, "./kurz", ...args], {
      stdin: new Blob([input ?? ""]),
      stdout: "pipe",
      stderr: "pipe",
    });
    const output = { stdout: "", stderr: "" };
    const reading = Promise.all(
      (["stdout", "stderr"] as const).map(async (name) => {
        const decoder = new TextDecoder();
        for await (const chunk of child[name]) output[name] += decoder.decode(chunk, { stream: true });
      }),
    );
    const ended = child.exited.then(async (code) => {
      await reading;
      return { code, out: output.stdout, err: output.stderr };
    });
    return {
      pid: child.pid,
      output,
      ended,
      async untilPrinted(text) {
        const isPrinted = () => output.stderr.includes(text);
        await until(`it prints ${text}`, () => isPrinted() || child.exitCode !== null, PRINTED_MS_MAX);
        if (!isPrinted())
          throw new Error(`it ended with ${child.exitCode} and did not print ${text}: ${output.stderr}`);
      },
      stop() {
        child.kill("SIGTERM");
        return ended;
      },
    };
  };
  return {
    home,
    start,
    run: (args, options) => start(args, options).ended,
    close: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** Takes no space where it is on the same file system. */
export function place(program: string, path: string): void {
  try {
    linkSync(program, path);
  } catch {
    copyFileSync(program, path);
  }
}

/** What the system's loader needs to start a program, or to load a library. */
function librariesOf(path: string): string[] {
  const { stdout } = Bun.spawnSync(["ldd", path]);
  return [...stdout.toString().matchAll(/(?:^\s*|=> )(\/\S+) \(0x/gm)].map(([, library = ""]) => library);
}
