import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "#test/support/until.ts";

const drill = join(import.meta.dir, "..", "fleet", "drill.ts");

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "kurz-drill-ends-"));
  chmodSync(directory, 0o755);
});
afterEach(() => rmSync(directory, { recursive: true }));

/** The drill keeps everything in this directory: the arguments, the environment or the place of each server say so. */
const startDrill = (env: Readonly<Record<string, string>> = {}) =>
  Bun.spawn([process.execPath, drill, "--only", "promises", "--quick"], {
    env: { ...process.env, TMPDIR: directory, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });

function serversLeft(): string[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const args = read(() => readFileSync(`/proc/${pid}/cmdline`, "latin1"));
      const environment = read(() => readFileSync(`/proc/${pid}/environ`, "latin1"));
      const place = read(() => readlinkSync(`/proc/${pid}/cwd`));
      return `${args} ${environment} ${place}`.includes(directory) ? [args.replaceAll("\0", " ")] : [];
    });
}

/** Nothing of a process that is gone. */
function read(source: () => string): string {
  try {
    return source();
  } catch {
    return "";
  }
}

const untilNothingIsLeft = () =>
  until(
    "no server and no file is left",
    () => serversLeft().length === 0 && readdirSync(directory).every((name) => !name.startsWith("kurz-drill-")),
  );

test.each(["SIGTERM", "SIGINT", "SIGKILL"] as const)(
  "%s ends the drill with all its servers",
  async (signal) => {
    const child = startDrill();
    const isRunning = (part: RegExp) => serversLeft().some((args) => part.test(args));
    await until("its servers run", () => [/postgres -D/, /redis-server/, /main\.ts serve/].every(isRunning), 180_000);
    child.kill(signal);
    expect(await child.exited).not.toBe(0);
    await untilNothingIsLeft();
  },
  600_000,
);

test("a server that doesn't start ends the drill and those that did", async () => {
  writeFileSync(join(directory, "redis-server"), "#!/bin/sh\nexit 7\n", { mode: 0o755 });
  const child = startDrill({ PATH: `${directory}:${process.env.PATH}` });
  const [problem, code] = await Promise.all([child.stderr.text(), child.exited]);
  expect([code, problem]).toEqual([1, expect.stringContaining("redis-server has exited with 7")]);
  await untilNothingIsLeft();
}, 600_000);
