import { ensurePrograms } from "./prerequisites.ts";
import { runSteps } from "./steps.ts";

// Builds the image and runs it. See CONTRIBUTING.md.
await ensurePrograms(["buildah", "mmdebstrap", "curl", "ip", "nsenter", "ps"]);
process.exit(await runSteps([{ name: "image", command: ["bun", "test", "--timeout", "120000", "./test/container"] }]));
