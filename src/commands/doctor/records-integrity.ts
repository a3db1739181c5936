import { sql } from "kysely";
import { type Check, ok, problem } from "./check.ts";

const ERRORS_MAX = 5;

/** Runs on the scanning handle: it reads the whole file, and the event loop must go on meanwhile. */
export const recordsIntegrity: Check = {
  name: "records",
  needsRecords: true,
  async run({ services }) {
    const { rows } = await sql<{ quick_check: string }>`pragma quick_check(${sql.lit(ERRORS_MAX)})`.execute(
      services().records.scan,
    );
    const errors = rows.map((row) => row.quick_check).filter((text) => text !== "ok");
    if (errors.length === 0) return [ok("the file is sound")];
    return errors.map((text) => problem(`the file is damaged: ${text.replaceAll("\n", "; ")}; restore a backup`));
  },
};
