import type { Domain } from "#contract/domain-record.ts";

/** Its links work, but another account could take the name over. */
export const isRecordMissing = ({ verified_by, last_problem }: Domain): boolean =>
  verified_by === "dns" && last_problem !== null;
