import { readRecords } from "./change-records.ts";
import type { KurzServer } from "./kurz-server.ts";
import { until } from "./until.ts";

/** An import has one core, and yields it to all other work of the machine. */
const IMPORT_MS_MAX = 400_000;
const POLL_MS = 200;

/** Waits until the server's only import is done, whatever has become of the command that began it. */
export const untilImported = (kurz: Pick<KurzServer, "dataDir">): Promise<unknown> =>
  until(
    "the import is done",
    () => Bun.deepEquals(readRecords(kurz, "select state from imports"), [{ state: "done" }]),
    IMPORT_MS_MAX,
    POLL_MS,
  );
