import { type Check, ok, problem } from "./check.ts";

const LISTED_MAX = 5;

export const recordsIntegrity: Check = {
  name: "records",
  needsRecords: true,
  async run({ services }) {
    const damage = await (await services()).records.findDamage(LISTED_MAX);
    if (damage === null) return [];
    if (damage.length === 0) return [ok("the file is intact")];
    return damage.map((text) => problem(`the file is damaged: ${text.replaceAll("\n", "; ")}; restore a backup`));
  },
};
