import { getPriority, setPriority } from "node:os";
import { answerCalls } from "#kernel/worker-calls.ts";
import { writeSnapshot } from "./records.store.ts";
import type { CopyRequest } from "./records-copy.ts";

const NICENESS = 10;

// For this thread only: when CPU is short, the server comes first.
setPriority(Math.max(getPriority(), NICENESS));

/** SQLite is synchronous; here it leaves the main thread free to sync what it writes. */
answerCalls(({ from, to }: CopyRequest): void => writeSnapshot(from, to));
