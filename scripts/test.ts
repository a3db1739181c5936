import { ensurePrograms } from "./prerequisites.ts";
import { checkSteps, runSteps } from "./steps.ts";

// Every test there is: the fast gate, then real servers, real processes and a real browser. Those wait for each other,
// so that a busy machine must not fail them.
const slowTest = (...folders: readonly string[]) => ["bun", "test", "--timeout", "60000", ...folders];
const PYTHON_STRIPE = "/usr/lib/python3/dist-packages/stripe";
const SYSTEM = ["ps", "curl", "sqlite3", "mount", "mkfs.ext4", "openssl", "chromium"];
const QR_READERS = ["zbarimg", "rsvg-convert", "xmllint"];
await ensurePrograms([...SYSTEM, ...QR_READERS, PYTHON_STRIPE]);
process.exit(
  await runSteps([
    ...checkSteps,
    { name: "conformance", command: slowTest("test/conformance") },
    { name: "contract", command: slowTest("test/contract", "test/support") },
    { name: "end to end", command: slowTest("test/e2e") },
    { name: "faults", command: slowTest("test/faults") },
  ]),
);
