import { afterAll, expect, test } from "bun:test";
import { closeSync, constants, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const directory = mkdtempSync(join(tmpdir(), "kurz-log-"));
afterAll(() => rmSync(directory, { recursive: true }));

/** The command that runs a script with the functions of the log in scope. */
const command = (script: string): string[] => {
  const log = JSON.stringify(join(import.meta.dir, "log.ts"));
  return [process.execPath, "-e", `const { logLine, logEvent, flushLog } = await import(${log}); ${script}`];
};

const toEntries = (text: string): Record<string, unknown>[] =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));

/** Lets a script log into a pipe that nobody reads until the script has sent its report, and returns both. */
async function logUnread(script: string) {
  const path = join(directory, "pipe");
  Bun.spawnSync(["mkfifo", path]);
  const unread = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const end = openSync(path, constants.O_WRONLY);
  const report = Promise.withResolvers<unknown>();
  const leave = `process.on("message", async () => { await flushLog(10_000); process.exit(0); });`;
  const logging = Bun.spawn(command(leave + script), {
    stdio: ["ignore", end, "inherit"],
    ipc: (message) => report.resolve(message),
  });
  closeSync(end);
  const reported = await report.promise;
  const reader = Bun.spawn(["cat", path], { stdio: ["ignore", "pipe", "inherit"] });
  logging.send("leave");
  const entries = toEntries(await reader.stdout.text());
  closeSync(unread);
  rmSync(path);
  return { reported, entries };
}

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, no) => no);

test("an entry is one line of JSON that begins with the time, whatever it contains", () => {
  const value = 'a\nb\u001b[31m\u009b31m\u2028"}';
  const text = Bun.spawnSync(command(`logLine({ value: ${JSON.stringify(value)} })`)).stdout.toString();
  expect(text).toMatch(/^\{"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","value":[\x20-\x7e]+\}\n$/);
  expect(JSON.parse(text).value).toBe(value);
});

test("an event goes to standard error with its level", () => {
  const { stdout, stderr } = Bun.spawnSync(command(`logEvent("warn", "look here", { pid: 7 })`));
  const entry = { time: expect.any(String), level: "warn", message: "look here", pid: 7 };
  expect(toEntries(stderr.toString())).toEqual([entry]);
  expect(stdout).toHaveLength(0);
});

test("entries written just before the exit arrive", () => {
  const { stdout } = Bun.spawnSync(command(`for (let no = 0; no < 100; no += 1) logLine({ no }); process.exit(0)`));
  expect(toEntries(stdout.toString()).map(({ no }) => no)).toEqual(numbersTo(100));
});

test("a slow reader holds nothing up and gets every entry", async () => {
  const { reported, entries } = await logUnread(`
    for (let no = 0; no < 5000; no += 1) {
      logLine({ no, text: "x".repeat(100) });
      if (no % 100 === 0) await new Promise(setImmediate);
    }
    process.send("goes on");
  `);
  expect(reported).toBe("goes on");
  expect(entries.map(({ no }) => no)).toEqual(numbersTo(5000));
});

test("a stuck reader costs entries, not memory, and is told how many", async () => {
  const { entries } = await logUnread(`
    const text = "x".repeat(1000);
    for (let no = 0; no < 20_000; no += 1) logLine({ no, text });
    process.send("full");
  `);
  const arrived = entries.filter(({ no }) => no !== undefined).length;
  expect(arrived).toBeLessThan(10_000);
  expect(entries.at(-1)).toMatchObject({ message: "log lines dropped", dropped: 20_000 - arrived });
});

test("a process outlives the reader of its log", async () => {
  const logging = Bun.spawn(
    command(`
      process.on("message", async () => {
        for (let turn = 0; turn < 20; turn += 1) {
          logLine({ turn });
          await flushLog();
        }
        process.exit(7);
      });
    `),
    { stdio: ["ignore", "pipe", "inherit"], ipc() {} },
  );
  await logging.stdout.cancel();
  logging.send("log");
  expect(await logging.exited).toBe(7);
});
