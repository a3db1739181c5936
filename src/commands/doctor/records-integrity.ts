import { type Check, ok, problem } from "./check.ts";
import { listDamage } from "./doctor.store.ts";

const LISTED_MAX = 5;

/** Runs on the scan connection: it reads the whole file, which must not block the event loop. */
export const recordsIntegrity: Check = {
  name: "records",
  needsRecords: true,
  async run({ services }) {
    const damage = await listDamage(services().records.scan, LISTED_MAX);
    if (damage.length === 0) return [ok("the file is intact")];
    return damage.map((text) => problem(`the file is damaged: ${text.replaceAll("\n", "; ")}; restore a backup`));
  },
};
