import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { until } from "./until.ts";

export interface RedisServer {
  readonly port: number;
  readonly url: string;
  /** Stops answering without closing anything, as if the machine or the network had stalled. */
  freeze(): void;
  thaw(): void;
  /** Ends it at once; whatever it knew is lost. */
  kill(): Promise<void>;
  /** Starts an empty one on the same port. */
  start(): Promise<void>;
  /** Sends a command and returns the reply as redis-cli prints it. */
  cli(...command: readonly string[]): Promise<string>;
  stop(): Promise<void>;
}

// Nothing is ever written to its directory.
const IN_MEMORY = ["--save", "", "--appendonly", "no"];

/** Serves this machine only, without a configuration file. */
export const redisCommand = (port: number, directory: string): readonly string[] => [
  ...["redis-server", "--bind", "127.0.0.1", "--port", `${port}`, "--dir", directory],
  ...IN_MEMORY,
];

/** Sends a command and returns the reply as redis-cli prints it. */
export async function askRedis(port: number, ...command: readonly string[]): Promise<string> {
  const asked = Bun.spawn(["redis-cli", "-p", `${port}`, ...command], { stdout: "pipe", stderr: "pipe" });
  return (await asked.stdout.text()).trimEnd();
}

interface Launch {
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A real server of its own on a free port of this machine. `launch` starts it in another way than by its command. */
export async function startRedisServer(
  options: readonly string[] = [],
  launch: (command: readonly string[]) => Launch = (command) => ({ command }),
): Promise<RedisServer> {
  const directory = mkdtempSync(join(tmpdir(), "kurz-redis-"));
  const port = freePort();
  let child: Bun.Subprocess | null = null;

  const cli = (...command: readonly string[]): Promise<string> => askRedis(port, ...command);

  const start = async (): Promise<void> => {
    const { command, env } = launch([...redisCommand(port, directory), ...options]);
    const started = Bun.spawn([...command], {
      env: { ...process.env, ...env },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "ignore",
    });
    child = started;
    await until("the server answers", async () => {
      if (started.exitCode !== null) throw new Error(`redis-server has exited with ${started.exitCode}`);
      return /PONG|NOAUTH/.test(await cli("ping"));
    });
  };

  const kill = async (): Promise<void> => {
    // Also ends a frozen one.
    child?.kill("SIGKILL");
    await child?.exited;
    child = null;
  };

  const stop = async (): Promise<void> => {
    await kill();
    rmSync(directory, { recursive: true, force: true });
  };

  await start().catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    freeze: () => child?.kill("SIGSTOP"),
    thaw: () => child?.kill("SIGCONT"),
    kill,
    start,
    cli,
    stop,
  };
}
