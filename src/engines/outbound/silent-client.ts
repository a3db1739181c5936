import { type OutboundClient, OutboundError } from "./outbound-client.ts";

const skip = (): Promise<never> => Promise.reject(new OutboundError("skipped_demo", 0));

/** Checks URLs like the real client, but sends nothing. */
export const silentClient = ({ findUrlProblem }: OutboundClient): OutboundClient => ({
  findUrlProblem,
  post: skip,
  get: skip,
  download: skip,
});
