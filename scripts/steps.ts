import { join } from "node:path";

export interface Step {
  readonly name: string;
  readonly command: readonly string[];
}

interface Outcome {
  readonly passed: number;
  readonly failed: number;
}

/** The fast gate, which every commit must pass: no network, no browser. */
export const checkSteps: readonly Step[] = [
  { name: "format and lint", command: ["biome", "check", "--error-on-warnings", "."] },
  { name: "types", command: ["tsc", "--noEmit"] },
  { name: "generated files", command: ["bun", "scripts/generate.ts", "--check"] },
  {
    name: "unit",
    command: ["bun", "test", "--timeout", "30000", "src", "sdk", "test/architecture.test.ts", "test/docs.test.ts"],
  },
];

const root = join(import.meta.dir, "..");
const path = `${join(root, "node_modules", ".bin")}:${process.env.PATH}`;

/** Runs every step, even after a failure, and closes with the sum of all tests on a line of its own. */
export async function runSteps(steps: readonly Step[]): Promise<number> {
  let passed = 0;
  let failed = 0;
  for (const { name, command } of steps) {
    print(`\n── ${name}\n`);
    const started = performance.now();
    const outcome = await runStep(command);
    passed += outcome.passed;
    failed += outcome.failed;
    print(
      `── ${name}: ${outcome.failed === 0 ? "ok" : "FAILED"} in ${((performance.now() - started) / 1000).toFixed(1)} s\n`,
    );
  }
  print(`\n${passed} passed, ${failed} failed\n`);
  return failed === 0 ? 0 : 1;
}

/** A step without tests of its own counts as one; one that dies before it has counted anything has failed. */
async function runStep(command: readonly string[]): Promise<Outcome> {
  const child = Bun.spawn([...command], {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdout: "inherit",
    stderr: "pipe",
    stdin: "ignore",
  });
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of child.stderr) {
    process.stderr.write(chunk);
    text += decoder.decode(chunk, { stream: true });
  }
  const code = await child.exited;
  const counted = { passed: countOf(text, "pass"), failed: countOf(text, "fail") };
  const isTest = command[1] === "test";
  if (!isTest) return code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  if (code === 0 && counted.failed === 0 && counted.passed > 0) return counted;
  return { passed: counted.passed, failed: Math.max(1, counted.failed) };
}

/** The runner closes with lines such as ` 14 pass` and ` 0 fail`. */
const countOf = (text: string, word: "pass" | "fail"): number =>
  Number([...text.matchAll(new RegExp(`^ *(\\d+) ${word}$`, "gm"))].at(-1)?.[1] ?? 0);

function print(text: string): void {
  process.stderr.write(text);
}
