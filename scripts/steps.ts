import { cpus } from "node:os";
import { join } from "node:path";

// With four, two fast cores have a sixth less to wait for, which saves a twentieth of the time; but where the cores are
// shared with other machines, some of what the tests promise for a quiet machine is late.
const FILES_AT_ONCE = 3;

export interface Step {
  readonly name: string;
  readonly command: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** The output of each failure. */
  readonly failures: readonly string[];
}

interface Outcome extends Counts {
  /** Of the step and of every process that one of its own has waited for: a browser leaves most of its own out. */
  readonly cpuSeconds: number;
}

/**
 * Most tests wait for a timer or a process, so more files than a small machine has cores run at once. Those that took
 * longest by `test/timings.json` start first, so that none of them is left at the end, alone. Files that run in the same
 * process share its modules, compiled code and servers: isolated, they would take a tenth more CPU time, and each its own
 * PostgreSQL and Redis. The generous timeout is for a busy machine.
 */
export const testFiles = (...places: readonly string[]): readonly string[] => [
  ...["bun", "test", "--timeout", "600000"],
  ...[`--parallel=${FILES_AT_ONCE}`, "--no-isolate", "--timings=test/timings.json"],
  ...places,
];

/** What holds for the project as a whole: its architecture, documentation, licences, words and packages. */
const rulesOfTheTree = [...new Bun.Glob("test/*.test.ts").scanSync(join(import.meta.dir, ".."))].toSorted();

/** The fast checks that every commit must pass: no network, no browser. */
export const checkSteps: readonly Step[] = [
  { name: "format and lint", command: ["biome", "check", "--error-on-warnings", "."] },
  { name: "types", command: ["tsc", "--noEmit"] },
  { name: "types of the console", command: ["tsc", "--noEmit", "-p", "console"] },
  { name: "types of the docs site", command: ["tsc", "--noEmit", "-p", "docs-site"] },
  { name: "generated files", command: ["bun", "scripts/generate.ts", "--check"] },
  {
    name: "unit",
    command: testFiles(
      ...["shared", "src", "sdk", "./cli", "./console", "./docs-site"],
      ...rulesOfTheTree,
      "test/bench",
    ),
  },
];

const root = join(import.meta.dir, "..");
const path = `${join(root, "node_modules", ".bin")}:${process.env.PATH}`;

/**
 * Runs every step, even after a failure. Finally prints the failures, what couldn't be tested here, a line each, and the
 * totals on a line of their own.
 */
export async function runSteps(steps: readonly Step[], notTested: readonly string[] = []): Promise<number> {
  let passed = 0;
  let failed = 0;
  const failures: string[] = [];
  for (const step of steps) {
    const { name } = step;
    print(`\n── ${name}\n`);
    const started = performance.now();
    const busyBefore = busySecondsOfCores();
    const outcome = await runStep(step);
    passed += outcome.passed;
    failed += outcome.failed;
    failures.push(...outcome.failures.map((failure) => `── failed in ${name}:\n${failure}\n`));
    const seconds = (performance.now() - started) / 1000;
    const busy = (busySecondsOfCores() - busyBefore) / (seconds * cpus().length);
    const cpu = `${outcome.cpuSeconds.toFixed(1)} s of CPU, cores ${(busy * 100).toFixed(0)} % busy`;
    const times = `${seconds.toFixed(1)} s, ${cpu}`;
    print(`── ${name}: ${outcome.failed === 0 ? "ok" : "FAILED"} in ${times}\n`);
  }
  print(`\n${failures.join("\n")}`);
  for (const line of notTested) print(`\n${line}\n`);
  print(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

async function runStep({ command, env }: Step): Promise<Outcome> {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...process.env, ...env, PATH: path },
    stdout: "pipe",
    stderr: "pipe",
    stdin: "ignore",
  });
  let text = "";
  const pass = async (output: ReadableStream<Uint8Array>): Promise<void> => {
    const decoder = new TextDecoder();
    for await (const chunk of output) {
      process.stderr.write(chunk);
      text += decoder.decode(chunk, { stream: true });
    }
  };
  await Promise.all([pass(child.stdout), pass(child.stderr)]);
  const code = await child.exited;
  const cpuSeconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1_000_000;
  return { ...countsOf(command, code, text), cpuSeconds };
}

/** Of all cores together, with whatever else the machine does. */
const busySecondsOfCores = (): number =>
  cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;

/** A step without tests counts as one test; a step that dies before it reports a count has failed. */
function countsOf(command: readonly string[], code: number, text: string): Counts {
  if (command[1] !== "test") {
    return code === 0
      ? { passed: 1, failed: 0, failures: [] }
      : { passed: 0, failed: 1, failures: [lastLinesOf(text)] };
  }
  const [passed, failed] = [countOf(text, "pass"), countOf(text, "fail")];
  if (code === 0 && failed === 0 && passed > 0) return { passed, failed, failures: [] };
  const failures = failedTestsIn(text);
  return { passed, failed: Math.max(1, failed), failures: failures.length > 0 ? failures : [lastLinesOf(text)] };
}

const FAILURE_LINES_MAX = 40;

const lastLinesOf = (text: string): string => text.trimEnd().split("\n").slice(-FAILURE_LINES_MAX).join("\n");

/**
 * The runner prints the error of a test before its `(fail)` line, and after the line of the previous test. At the end it
 * may list all failures again, without their errors.
 */
function failedTestsIn(text: string): string[] {
  const failures: string[] = [];
  let lines: string[] = [];
  for (const line of text.split("\n")) {
    if (/^\d+ tests failed:$/.test(line)) break;
    lines.push(line);
    if (line.startsWith("(fail)")) failures.push(lastLinesOf(lines.join("\n")));
    if (/^\((pass|fail)\)/.test(line)) lines = [];
  }
  return failures;
}

/** The runner ends with lines such as ` 14 pass` and ` 0 fail`. */
const countOf = (text: string, word: "pass" | "fail"): number =>
  Number([...text.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);

function print(text: string): void {
  process.stderr.write(text);
}
