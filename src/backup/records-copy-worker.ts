import { getPriority, setPriority } from "node:os";
import { recordsFile } from "#engines/records/records-file.ts";
import { answerCalls } from "#kernel/worker-calls.ts";
import type { CopyRequest } from "./records-copy.ts";

const NICENESS = 10;

// For this thread only: when CPU is short, the server comes first.
setPriority(Math.max(getPriority(), NICENESS));

/** The engine is synchronous; here it leaves the main thread free to sync what it writes. */
answerCalls(({ from, to }: CopyRequest): void => recordsFile({ path: from }).writeSnapshot(to));
