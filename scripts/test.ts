import { ensurePrograms } from "./prerequisites.ts";
import { checkSteps, runSteps } from "./steps.ts";

/** Every test there is: the fast gate, then real servers, real processes and a real browser. */
await ensurePrograms(["ps", "chromium", "curl", "sqlite3", "mount", "mkfs.ext4"]);
process.exit(
  await runSteps([
    ...checkSteps,
    { name: "conformance", command: ["bun", "test", "test/conformance"] },
    { name: "contract", command: ["bun", "test", "test/contract", "test/support"] },
    { name: "end to end", command: ["bun", "test", "test/e2e"] },
    { name: "faults", command: ["bun", "test", "test/faults"] },
  ]),
);
