import { oneFileProgram } from "../test/support/one-file-program.ts";
import { runSteps, testFiles } from "./steps.ts";

// Builds the one-file program, and runs the whole contract battery against it. Names of suites limit it to those.
const named = process.argv.slice(2);
const suites = named.length > 0 ? named : ["test/binary", "test/contract"];
const built = await runSteps([
  { name: "console, clients and documentation", command: ["npm", "run", "build"] },
  { name: "one-file program", command: ["bun", "scripts/build-binary.ts"] },
]);
if (built !== 0) process.exit(built);
process.exit(
  await runSteps([
    {
      name: "tests of the one-file program",
      command: testFiles(...suites),
      env: { KURZ_TEST_COMMAND: oneFileProgram() },
    },
  ]),
);
