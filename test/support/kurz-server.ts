import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { answersCalls } from "./answers-calls.ts";
import { freePort } from "./free-port.ts";
import { kurzProgram } from "./kurz-program.ts";
import { childrenOf, countListeners, familyOf, isAlive } from "./process-table.ts";
import { profileSettings } from "./profile.ts";
import { until } from "./until.ts";

const thisRelease = join(import.meta.dir, "..", "..");
// Patience for a busy machine: a bench measures how fast a start is, and the server limits its own stop to 15 s, or 80 on servers.
const READY_MS_MAX = 180_000;
const STOP_MS_MAX = 100_000;

export interface ServerOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** An existing data directory, for a server that starts again; the caller removes it. */
  readonly dataDir?: string;
  readonly port?: number;
  readonly readyMsMax?: number;
  readonly network?: ServerNetwork;
  /** The directory of another release, with its dependencies installed; this one if left out. */
  readonly release?: string;
  /** How the program is called; by default with the runtime of this process. */
  readonly program?: readonly string[];
}

/** A network other than this process's. */
export interface ServerNetwork {
  /** The command that runs another one in it. */
  readonly enter: readonly string[];
  /** Where this process reaches the server. */
  readonly host: string;
}

export interface CommandResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface KurzServer {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly supervisor: Bun.Subprocess;
  /** What it has printed so far: the API log and messages for the operator. */
  readonly output: { stdout: string; stderr: string };
  /** Runs an operator command while the server runs. */
  kurz(args: readonly string[], stdin?: string): Promise<CommandResult>;
  newAccount(options?: { plan?: string; email?: string }): Promise<string>;
  newToken(account: string, options?: { scopes?: string; expires?: string; rateLimit?: number }): Promise<string>;
  /** Ids of the processes with that role, from the kernel. */
  processes(role: "redirect" | "control"): number[];
  /** Stops it in order and returns its exit code; removes the data unless the caller provided it. */
  stop(): Promise<number>;
  /** Ends all its processes at once, as if its machine had died; the data stays. */
  kill(): Promise<void>;
}

/** The real product in its own processes, as `npm start` runs it. */
export async function startKurz({
  env = {},
  dataDir: given,
  port = freePort(),
  readyMsMax = READY_MS_MAX,
  network,
  release = thisRelease,
  program = kurzProgram(release),
}: ServerOptions = {}): Promise<KurzServer> {
  const dataDir = given ?? mkdtempSync(join(tmpdir(), "kurz-e2e-"));
  const environment = {
    PATH: process.env.PATH ?? "",
    HOME: process.env.HOME ?? "",
    KURZ_DATA_DIR: dataDir,
    KURZ_PORT: String(port),
    // Many servers run at the same time; a test that needs metrics asks for a port of its own.
    KURZ_METRICS_ADDR: "off",
    // Tests lead to sites of strangers, which must not be asked.
    ...(release === thisRelease && { KURZ_PAGE_LOOKUPS: "off" }),
    ...(network && { KURZ_HOST: "0.0.0.0" }),
    // The demo always keeps everything in its own directory.
    ...(env.KURZ_DEMO === "1" ? {} : await profileSettings(dataDir)),
    ...env,
  };
  const output = { stdout: "", stderr: "" };
  const supervisor = Bun.spawn([...(network?.enter ?? []), ...program, "serve"], {
    env: environment,
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  const collected = Promise.all([
    collect(supervisor.stdout, (text) => {
      output.stdout += text;
    }),
    collect(supervisor.stderr, (text) => {
      output.stderr += text;
    }),
  ]);
  /** Its last words are collected, too. */
  const outputClosed = async (): Promise<void> => {
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(
      () => reject(new Error(`output still open after ${STOP_MS_MAX} ms: a process of the server has it`)),
      STOP_MS_MAX,
    );
    await Promise.race([collected, late]).finally(() => clearTimeout(timer));
  };
  const url = `http://${network?.host ?? "127.0.0.1"}:${port}`;
  const kurz = (args: readonly string[], stdin = "") => runKurz(args, environment, stdin, release);

  const server: KurzServer = {
    url,
    port,
    dataDir,
    supervisor,
    output,
    kurz,
    async newAccount({ plan, email = `owner-${Bun.randomUUIDv7()}@example.com` } = {}) {
      const args = ["accounts", "create", "--email", email, "--name", "Test", ...(plan ? ["--plan", plan] : [])];
      return succeed(await kurz(args, "a password for tests\n"));
    },
    async newToken(account, { scopes = "all", expires = "never", rateLimit } = {}) {
      const args = [
        "tokens",
        "create",
        "--account",
        account,
        "--name",
        "Test",
        "--scopes",
        scopes,
        "--expires",
        expires,
      ];
      return succeed(await kurz(rateLimit === undefined ? args : [...args, "--rate-limit", String(rateLimit)]));
    },
    processes: (role) => childrenOf(supervisor.pid, role),
    async stop() {
      supervisor.kill("SIGTERM");
      const late = setTimeout(() => supervisor.kill("SIGKILL"), STOP_MS_MAX);
      const code = await supervisor.exited;
      clearTimeout(late);
      await outputClosed().finally(() => {
        if (given === undefined) rmSync(dataDir, { recursive: true, force: true });
      });
      return code;
    },
    async kill() {
      const family = familyOf(supervisor.pid);
      // The supervisor first, which would replace the others.
      for (const pid of family) endProcess(pid);
      await supervisor.exited;
      await until("all its processes are gone", () => !family.some(isAlive));
      await outputClosed();
    },
  };
  const answers = isServedHere(env) ? answersCalls : isReady;
  const isComplete = env.KURZ_DEMO === "1" ? () => true : () => hasEveryListener(server);
  await until(
    "the server is ready",
    async () => {
      if (supervisor.exitCode !== null) throw new Error("it has ended");
      // It has printed its messages for the operator, too.
      return output.stderr.includes("Kurz is running.") && (await answers(url)) && isComplete();
    },
    readyMsMax,
  ).catch(async (error: Error) => {
    await server.stop();
    throw new Error(`the server did not become ready: ${error.message}: ${output.stderr}`);
  });
  return server;
}

export async function runKurz(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  stdin = "",
  release = thisRelease,
): Promise<CommandResult> {
  const child = Bun.spawn([...kurzProgram(release), ...args], {
    env: { PATH: process.env.PATH ?? "", HOME: process.env.HOME ?? "", ...env },
    stdin: new Blob([stdin]),
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, stdout, stderr };
}

function succeed({ code, stdout, stderr }: CommandResult): string {
  if (code !== 0) throw new Error(`the command failed with ${code}: ${stderr}`);
  return stdout.trim();
}

/** Whether the node serves the API, itself or through another one. */
const isServedHere = ({ KURZ_ROLES, KURZ_CONTROL_URL }: Readonly<Record<string, string>>): boolean =>
  KURZ_ROLES !== "redirect" || KURZ_CONTROL_URL !== undefined;

const isReady = (url: string): Promise<boolean> =>
  fetch(`${url}/readyz`).then(
    ({ status }) => status === 200,
    () => false,
  );

/** The server is ready with one redirect process, but tests rely on all of them. */
const hasEveryListener = ({ port, processes, supervisor }: KurzServer): boolean =>
  countListeners(port, supervisor.pid) === processes("redirect").length;

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // Already gone.
  }
}

async function collect(stream: ReadableStream<Uint8Array>, add: (text: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  for await (const chunk of stream) add(decoder.decode(chunk, { stream: true }));
}
